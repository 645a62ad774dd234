#include "report/page.hpp"

#include <nlohmann/json.hpp>

#include "formats/sha256.hpp"
#include "report/compact.hpp"
#include "report/embedded.hpp"

namespace mkc::report {
namespace {

using Json = nlohmann::ordered_json;

const std::string hostile =
    "</script><script>alert(1)</script><!-- ]]> \" ' & \u2028\u2029 \U0001F600 \u05D0\u05D1 \x01";

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST(ScriptJson, ReadsBackAndCannotEndItsElement) {
  const Json data = {{"name", hostile}, {hostile, 1.5}, {"nan", std::nan("")}};
  const std::string text = script_json(data);
  const Json back = Json::parse(text);
  EXPECT_EQ(back["name"], hostile);
  EXPECT_EQ(back[hostile], 1.5);
  EXPECT_TRUE(back["nan"].is_null());
  for (const char c : text) {
    EXPECT_GE(c, 0x20);  // plain ASCII, so U+2028 and the like are written as \u2028
    EXPECT_TRUE(c != '<' && c != '>' && c != '&' && c != '\'');
  }
}

TEST(ScriptJson, AcceptsBytesThatAreNotUtf8) {
  EXPECT_EQ(Json::parse(script_json({"a\xff"
                                     "b"}))[0],
            "a\uFFFDb");
}

TEST(HtmlEscaped, LeavesNoMarkup) {
  EXPECT_EQ(html_escaped("<b a='\"&"), "&lt;b a=&#39;&quot;&amp;");
  EXPECT_EQ(html_escaped("plain \u05D0"), "plain \u05D0");
}

TEST(AssemblePage, PutsEveryPartInItsPlaceOnce) {
  const std::string page =
      assemble_page({{"title", "A <title> {{data}}"}, {"name", "{{script}}" + hostile}});
  EXPECT_TRUE(contains(page, "<title>A &lt;title&gt; {{data}}</title>"));
  EXPECT_TRUE(contains(page, embedded::style()));
  EXPECT_TRUE(contains(page, embedded::colours()));
  EXPECT_TRUE(contains(page, embedded::chart_library()));
  EXPECT_TRUE(contains(page, embedded::script()));
  EXPECT_FALSE(contains(page, "alert(1)</script>"));
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const auto begin = page.find(open) + open.size();
  const Json data = Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_EQ(data["name"], "{{script}}" + hostile);
}

// No address in our files, and a policy that forbids loading anything.
TEST(AssemblePage, LoadsNothing) {
  const std::string page = assemble_page({{"title", "t"}});
  EXPECT_TRUE(contains(page, "default-src 'none'"));
  EXPECT_FALSE(contains(page, "unsafe-eval"));
  for (const std::string_view part :
       {embedded::page_template(), embedded::style(), embedded::colours(), embedded::script()}) {
    EXPECT_FALSE(contains(part, "http://"));
    EXPECT_FALSE(contains(part, "https://"));
    EXPECT_FALSE(contains(part, "innerHTML"));
    EXPECT_FALSE(contains(part, "url("));
  }
  for (const char* element : {"<script src", "<link", "<iframe", "@import"})
    EXPECT_FALSE(contains(page, element)) << element;
}

TEST(ChartLibrary, IsTheOnePinned) {
  EXPECT_EQ(io::sha256_of_bytes(embedded::chart_library()),
            "bf4a223524e40b77c304bec67e1222cf551f14880cf42c69dc046558e11c07b1");
  EXPECT_FALSE(contains(embedded::chart_library(), "</script"));
}

TEST(Base64, AgreesWithTheStandard) {  // test vectors of RFC 4648
  const Strings texts = {"", "f", "fo", "foo", "foob", "fooba", "foobar"};
  const Strings codes = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(base64(texts[i]), codes[i]);
  EXPECT_EQ(base64(std::string("\xff\xfe\x00", 3)), "//4A");
}

TEST(Rounded, KeepsSignificantDigits) {
  EXPECT_EQ(rounded(0.123456), 0.1235);
  EXPECT_EQ(rounded(-123456.0), -123500.0);
  EXPECT_EQ(rounded(0.1), 0.1);
  EXPECT_EQ(rounded(0), 0);
  EXPECT_EQ(rounded(9.99996), 10);
  EXPECT_EQ(rounded(1e-320), 1e-320);
  EXPECT_TRUE(std::isnan(rounded(std::nan(""))));
  EXPECT_TRUE(std::isinf(rounded(INFINITY)));
}

TEST(ShortName, CutsAtWholeCharacters) {
  EXPECT_EQ(short_name("abc", 3), "abc");
  EXPECT_EQ(short_name("abcd", 3), "abc\u2026");
  EXPECT_EQ(short_name("\u05D0\u05D1\u05D2", 2), "\u05D0\u05D1\u2026");
  EXPECT_EQ(short_name("a\xff", 5), "a\uFFFD");
}

}  // namespace
}  // namespace mkc::report
