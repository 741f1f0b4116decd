// The words themselves, language by language; the tokenizers determine how each of them is spelled here.
#include "words/stop_word_tables.hpp"

#include <array>

namespace nd::text {
namespace {

constexpr std::string_view kEnglish =
    "a about above after again against all also although always am among an and another any are as at away "
    "back be became because become been before being below between both but by can cannot could did do does "
    "doing done down during each either else even ever every few for from further get had has have having "
    "he her here hers herself him himself his how however i if in into is it its itself just least less let "
    "like made many may me might mine more most much must my myself neither never no nor not now of off "
    "often on once one only or other others our ours ourselves out over own per perhaps quite rather same "
    "shall she should since so some still such than that the their theirs them themselves then there "
    "therefore these they this those though through thus to too toward under until up upon us very was we "
    "were what when where whether which while who whom whose why will with within without would yet you "
    "your yours yourself "
    // Halves of contractions, then the contractions.
    "s t d ll m re ve don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn mustn "
    "don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't won't wouldn't couldn't "
    "shouldn't can't i'm i've i'll i'd it's he's she's that's there's what's let's you're you've you'll "
    "we're we've we'll they're they've they'll";

constexpr std::string_view kRussian =
    "а без более больше бы был была были было быть в вам вас весь во вот все всего всех всё вы где да даже "
    "для до его ее если есть еще ещё её ж же за здесь и из или им их к как какая какие какой ко когда кто "
    "ли либо лишь мне много может мой моя мы на над надо нам нас наш не него нее ней нет ни них но ну о об "
    "однако он она они оно от очень по под после потом потому при про раз с сам свой свои себе себя со так "
    "также такая такие такой там те тем теперь то того тоже той только том тот тут ты у уж уже хотя чего "
    "чем через что чтоб чтобы эта эти это этого этой этом этот я который которая которые которых которого "
    "этих будет будут можно нельзя между перед около ним нём ему ей тебя тебе меня мной ваш ваша ваши наша";

constexpr std::string_view kSpanish =
    "a al algo algunas algunos ante antes aquel aquella aquellos aquí así aún aunque bien cada como con "
    "contra cómo cual cuales cualquier cuando cuándo de del desde donde dónde dos durante e el ella ellas "
    "ellos en entre era eran es esa esas ese eso esos esta estaba estado estamos estar estas este esto "
    "estos está están estoy fue fueron ha haber había han has hasta hay he hemos incluso la las le les lo "
    "los mas más me menos mi mientras mis mismo mucho muchos muy nada ni no nos nosotros nuestra nuestro "
    "nuestros o os otra otras otro otros para pero poco por porque pues que quien quienes qué se sea según "
    "ser si sido sin sino sobre solo son soy su sus suya suyo sí sólo también tampoco tan tanto te tenía "
    "tiene tienen toda todas todavía todo todos tu tus tú u un una unas uno unos usted ustedes y ya yo él";

constexpr std::string_view kGerman =
    "aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis "
    "bist da dabei dadurch dafür damit dann daran darauf daraus darin darum darüber das dass davon dazu "
    "dein deine dem den denn der deren des dessen die dies diese diesem diesen dieser dieses doch dort du "
    "durch ein eine einem einen einer eines er es etwas euch euer für gegen hab habe haben hat hatte hatten "
    "hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden "
    "jeder jedes jener jetzt kann kein keine keinen können könnte man manche mehr mein meine mich mir mit "
    "muss müssen nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich "
    "sie sind so solche soll sollte sondern sonst sowie um und uns unser unsere unter viel vom von vor war "
    "waren warum was wegen weil weiter welche welcher wenn wer werde werden wie wieder will wir wird wo "
    "wollen wurde wurden während würde würden zu zum zur zwar zwischen über";

constexpr std::string_view kFrench =
    "a afin ai ainsi alors après as au aucun aucune aussi autre autres aux avait avant avec avez avoir "
    "avons ayant bien c car ce ceci cela celle celles celui ces cet cette ceux chaque chez ci comme comment "
    "contre d dans de depuis des dès donc dont du durant elle elles en encore entre es est et eu eux faire "
    "fait fois font fut hors il ils j je jusqu l la le les leur leurs lors lorsque lui là m ma mais me mes "
    "moi moins mon même mêmes n ne ni non nos notre nous on ont ou où par parce pas pendant peu peut plus "
    "plusieurs pour pourquoi près puis qu quand que quel quelle quelles quels qui quoi s sa sans se selon "
    "sera ses si son sont sous suis sur t ta tandis te tes toi ton toujours tous tout toute toutes tu très "
    "un une vers voici voilà vos votre vous y à ça étaient était étant été être ô";

// First what a tokenizer of single kana sees: the particles.
constexpr std::string_view kJapanese =
    "は が を に の で と も へ や か ね よ な ば て た し れ る い ま す だ ら さ これ それ あれ この その "
    "あの ここ そこ あそこ こちら どこ だれ なに なん 何 私 僕 彼 彼女 わたし あなた です ます でし まし "
    "した する して せ いる いた ある あり ない なく なかっ なっ なる なり なら だっ から まで より など "
    "だけ ほど ばかり しか でも には では とは への との のに ので のは ため よう こと もの とき ところ "
    "そして また しかし ただし および または さらに つまり ただ まだ もう とても について において によって "
    "による として られ れる られる せる させる たい ませ ん たり ながら つつ けど けれど ても";

constexpr std::string_view kPortuguese =
    "a ainda além algo alguma algumas alguns ao aos apenas após aquela aquele aqueles aqui aquilo as assim "
    "até cada com como contra cuja cujo da daquele das de dela dele deles depois desde dessa desse desta "
    "deste do dos durante e ela elas ele eles em embora enquanto entre era eram essa essas esse esses esta "
    "estamos estar estas estava este estes estou está estão eu foi for foram fosse há isso isto já lhe lhes "
    "lo mais mas me mesma mesmo meu meus minha minhas muita muito muitos na nas nem nessa nesse nesta neste "
    "no nos nossa nosso nossos não nós num numa nunca o onde os ou outra outras outro outros para pela "
    "pelas pelo pelos per pois por porque porém portanto qual quais quando quanto que quem se seja sem "
    "sendo ser seu seus será seria si sido sob sobre somente sua suas são só também tanto te tem temos "
    "tendo ter teu teve tinha toda todas todo todos tu tua tudo têm um uma umas uns você vocês vos à às é";

constexpr std::string_view kTurkish =
    "acaba ama ancak artık aslında az bana bazı belki ben benden beni benim bile bir biraz birçok biri "
    "birkaç birşey biz bize bizi bizim bu buna bunda bundan bunlar bunları bunların bunu bunun burada böyle "
    "böylece bütün da daha dahi de defa değil diye diğer dolayı dolayısıyla dört eden ederek edilen eğer en "
    "fakat gibi göre hala halen hangi hatta hem henüz hep hepsi her herhangi herkes hiç hiçbir için içinde "
    "ile ilgili ise işte kadar kendi kendine kendini karşı ki kim kimse mi mu mı mü nasıl ne neden nedenle "
    "nerede niçin niye o olan olarak oldu olduğu olduğunu olmak olması olsa olup olur ona ondan onlar "
    "onları onların onu onun orada oysa pek rağmen sadece sanki sen seni senin siz sizi sizin sonra şey "
    "şimdi şu şöyle tarafından tüm üzere var ve veya ya yani yapılan yerine yine yok zaten çok çünkü öyle";

constexpr std::string_view kItalian =
    "a abbiamo ad agli ai al alcuni alla alle allo allora altra altre altri altro anche ancora avere aveva "
    "avevano c che chi ci ciò cioè coi col come con contro cosa così cui d da dagli dai dal dalla dalle "
    "dallo degli dei del dell della delle dello dentro di dopo dove e ecco ed era erano essere fa fino fra "
    "fu furono gli ha hai hanno ho i il in infatti io l la le lei li lo loro lui ma me mentre mi mia mie "
    "miei mio molta molti molto ne negli nei nel nell nella nelle nello no noi non nostra nostri nostro o "
    "ogni oltre oppure ora per perché perciò però più poi poco prima proprio può qua quale quali qualche "
    "quando quanto quella quelle quelli quello questa queste questi questo qui quindi sarà se sei sempre "
    "senza si sia siamo siete solo sono sopra sotto sta stata state stati stato stesso su sua sue sugli sui "
    "sul sull sulla sulle suo suoi tra tu tua tuo tutta tutte tutti tutto un una uno verso vi voi vostra "
    "vostro è";

constexpr std::string_view kPersian =
    "آن آنها آنچه آیا است اش ام اما ان اند او اگر ای این اینکه با باشد باشند باید بدون بر برای برخی بسیار "
    "بعد بلکه بنابراین به بود بودن بودند بوده بی بیش بیشتر بین تا تر ترین تمام تنها تو توسط جز چرا چند چنین "
    "چه چون چیزی حتی خود خواهد خواهند خویش داد دارد دارند داشت داشته در درباره دهد دو دیگر را روی زیر سپس "
    "شان شد شدن شدند شده شما شود شوند طی علیه فقط قبل ما مانند مثل من مگر می میشود میکند میکنند میشوند نیز "
    "نیست نه نمی نمیشود ها های هایی هر هم همان همه همچنان همچنین همین هنوز هیچ و ولی وی پس پیش کرد کردن "
    "کردند کرده کسی که کند کنند کنید کنیم گفت گفته یا یک یکی";

constexpr std::array kLists = {
    StopWordList{"en", kEnglish},    StopWordList{"ru", kRussian}, StopWordList{"es", kSpanish},
    StopWordList{"de", kGerman},     StopWordList{"fr", kFrench},  StopWordList{"ja", kJapanese},
    StopWordList{"pt", kPortuguese}, StopWordList{"tr", kTurkish}, StopWordList{"it", kItalian},
    StopWordList{"fa", kPersian},
};

// As ICU's dictionary cuts them; "每个" and its like, which it does not know, come as two words.
constexpr std::string_view kChineseWords =
    "的 了 是 在 和 有 不 我 他 她 它 这 那 你 您 们 为 与 也 就 都 而 及 以 对 对于 于 着 过 或 或者 之 把 "
    "被 将 从 但 但是 并 并且 其 所 等 很 还 又 再 才 只 让 向 到 由 因 因为 如 如果 若 虽 虽然 则 且 而且 "
    "即 即使 至 比 吗 呢 吧 啊 哪 哪里 哪些 谁 什么 怎么 怎样 每 各 该 此 自己 个 会 能 能够 可 可以 可能 "
    "要 上 下 中 里 去 来 说 没 没有 得 地 给 用 像 跟 同 往 当 使 叫 令 由于 于是 因此 因而 所以 从而 然而 "
    "不过 只是 只有 只要 除了 除非 无论 不管 不论 尽管 既 既然 要是 假如 否则 以及 还是 不仅 不但 不只 甚至 "
    "况且 何况 另外 此外 其他 其它 其中 其实 有些 一些 一个 一种 一样 一般 一直 一定 一下 一切 这个 这些 "
    "这里 这样 这种 这么 那个 那些 那里 那样 那么 那种 我们 你们 他们 她们 它们 咱们 人们 大家 别人 本 某 "
    "某些 任何 所有 全部 许多 很多 多少 几 几个 如何 如此 为什么 为了 关于 至于 根据 按照 通过 经过 随着 "
    "作为 以后 以前 之后 之前 之间 之一 之中 同时 然后 接着 后来 最后 已 已经 曾 曾经 正在 正 刚 刚刚 将要 "
    "马上 立即 现在 当时 时候 时 后 前 内 外 间 非常 十分 更 更加 最 太 极 较 比较 相当 尤其 几乎 大约 大概 "
    "也许 或许 恐怕 似乎 好像 究竟 到底 毕竟 果然 当然 确实 的确 实在 真 必须 应该 应 应当 需要 需 愿意 愿 "
    "想 肯 敢 不能 不会 不要 不是 不得 不可 不同 不再 不少 别 莫 勿 未 无 非 又是 就是 便 便是 都是 也是 "
    "还有 仍 仍然 依然 仍旧 再次 却 倒 竟 竟然 居然 反而 反正 总 总是 总之 常 常常 经常 往往 有时 偶尔 互相 "
    "相互 一起 一同 分别 各自 彼此 呀 哦 嘛 啦 哇 呵 嗯 哎 唉 者 所谓 例如 比如 譬如 等等 云云 而已 罢了 "
    "似的 一旦 万一 以免 以便 以致 以至 与其 宁可 何 何时 何处 为何 自 自从 沿着 朝 趁 据 凭 依 依照 按 连 "
    "除 及其 是否 能否 可否 二 两 第 各种 各个 整个 另 另一 那儿 这儿 哪儿 这次 其次 首先 而是 才能 不必 "
    "不用 不知 不如 不断 有关 有所 有着 称为 认为 以为 觉得 這 們 為 與 對 對於 於 著 過 將 從 並 並且 還 "
    "讓 因為 雖 雖然 則 嗎 誰 什麼 怎麼 怎樣 怎麼樣 該 個 會 來 說 沒 沒有 裡 裏 後 給 當 無論 儘管 於是 "
    "還是 不僅 況且 何況 其實 一個 一種 一樣 這個 這些 這裡 這樣 這種 這麼 那個 那裡 那樣 那麼 那種 我們 "
    "你們 他們 她們 它們 咱們 人們 別人 許多 幾 幾個 為什麼 為了 關於 至於 根據 通過 經過 隨著 作為 以後 "
    "之後 之間 同時 然後 後來 最後 已經 曾經 剛 剛剛 將要 馬上 現在 當時 時候 時 內 間 極 較 比較 相當 幾乎 "
    "大約 畢竟 當然 確實 的確 實在 必須 應該 應 應當 願意 願 不會 別 無 還有 仍舊 卻 總 總是 總之 經常 偶爾 "
    "分別 所謂 罷了 萬一 與其 寧可 何時 何處 為何 自從 據 憑 連 與否 兩 每個 各種 各個 整個 這次 不斷 有關 "
    "稱為 認為 以為 覺得 哪裡 從而 這兒 那兒 哪兒 這是 麼";

constexpr std::string_view kChineseCharacters =
    "的了是在和有不我他她它这那你们为与也就都而及以对于着过或之把被将从但并其所等很还又再才只让向到由因如若"
    "虽则且即至比吗呢吧啊哪谁什么怎样每各该此自己个会能可要上下中里去来说没"
    "這們為與對於著過將從並還讓嗎誰麼樣該個會後裡說沒雖則";

}  // namespace

std::span<const StopWordList> stop_word_lists() noexcept {
  return kLists;
}

std::string_view chinese_stop_words() noexcept {
  return kChineseWords;
}

std::string_view chinese_function_characters() noexcept {
  return kChineseCharacters;
}

}  // namespace nd::text
