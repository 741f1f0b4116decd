#include "text/stop_word_tables.hpp"

#include <array>

namespace nd::text {
namespace {

constexpr std::string_view kEnglish =
    "a about above after again against all also although always am among an and another any are as at away "
    "back be became because become been before being below between both but by can cannot could did do does "
    "doing done down during each either else even ever every few for from further get had has have having he "
    "her here hers herself him himself his how however i if in into is it its itself just least less let "
    "like "
    "made many may me might mine more most much must my myself neither never no nor not now of off often on "
    "once one only or other others our ours ourselves out over own per perhaps quite rather same shall she "
    "should since so some still such than that the their theirs them themselves then there therefore these "
    "they this those though through thus to too toward under until up upon us very was we were what when "
    "where whether which while who whom whose why will with within without would yet you your yours yourself "
    // Halves of contractions, then the contractions.
    "s t d ll m re ve don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn mustn "
    "don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't won't wouldn't couldn't "
    "shouldn't "
    "can't i'm i've i'll i'd it's he's she's that's there's what's let's you're you've you'll we're we've "
    "we'll they're they've they'll";

constexpr std::string_view kRussian =
    "а без более больше бы был была были было быть в вам вас весь во вот все всего всех всё вы где да даже "
    "для до его ее если есть еще ещё её ж же за здесь и из или им их к как какая какие какой ко когда кто ли "
    "либо лишь мне много может мой моя мы на над надо нам нас наш не него нее ней нет ни них но ну о об "
    "однако он она они оно от очень по под после потом потому при про раз с сам свой свои себе себя со так "
    "также такая такие такой там те тем теперь то того тоже той только том тот тут ты у уж уже хотя чего чем "
    "через что чтоб чтобы эта эти это этого этой этом этот я который которая которые которых которого "
    "этих будет будут можно нельзя между перед около ним нём ему ей тебя тебе меня мной ваш ваша ваши наша";

constexpr std::string_view kSpanish =
    "a al algo algunas algunos ante antes aquel aquella aquellos aquí así aún aunque bien cada como con "
    "contra "
    "cómo cual cuales cualquier cuando cuándo de del desde donde dónde dos durante e el ella ellas ellos en "
    "entre era eran es esa esas ese eso esos esta estaba estado estamos estar estas este esto estos está "
    "están "
    "estoy fue fueron ha haber había han has hasta hay he hemos incluso la las le les lo los mas más me "
    "menos "
    "mi mientras mis mismo mucho muchos muy nada ni no nos nosotros nuestra nuestro nuestros o os otra otras "
    "otro otros para pero poco por porque pues que quien quienes qué se sea según ser si sido sin sino sobre "
    "solo son soy su sus suya suyo sí sólo también tampoco tan tanto te tenía tiene tienen toda todas "
    "todavía "
    "todo todos tu tus tú u un una unas uno unos usted ustedes y ya yo él";

constexpr std::string_view kGerman =
    "aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis "
    "bist da "
    "dabei dadurch dafür damit dann daran darauf daraus darin darum darüber das dass davon dazu dein deine "
    "dem "
    "den denn der deren des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine "
    "einem "
    "einen einer eines er es etwas euch euer für gegen hab habe haben hat hatte hatten hier hin hinter ich "
    "ihm "
    "ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder jedes jener jetzt "
    "kann "
    "kein keine keinen können könnte man manche mehr mein meine mich mir mit muss müssen nach nicht nichts "
    "noch "
    "nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so solche soll sollte "
    "sondern "
    "sonst sowie um und uns unser unsere unter viel vom von vor war waren warum was wegen weil weiter welche "
    "welcher wenn wer werde werden wie wieder will wir wird wo wollen wurde wurden während würde würden zu "
    "zum "
    "zur zwar zwischen über";

constexpr std::string_view kFrench =
    "a afin ai ainsi alors après as au aucun aucune aussi autre autres aux avait avant avec avez avoir avons "
    "ayant bien c car ce ceci cela celle celles celui ces cet cette ceux chaque chez ci comme comment contre "
    "d "
    "dans de depuis des dès donc dont du durant elle elles en encore entre es est et eu eux faire fait fois "
    "font "
    "fut hors il ils j je jusqu l la le les leur leurs lors lorsque lui là m ma mais me mes moi moins mon "
    "même "
    "mêmes n ne ni non nos notre nous on ont ou où par parce pas pendant peu peut plus plusieurs pour "
    "pourquoi "
    "près puis qu quand que quel quelle quelles quels qui quoi s sa sans se selon sera ses si son sont sous "
    "suis sur t ta tandis te tes toi ton toujours tous tout toute toutes tu très un une vers voici voilà vos "
    "votre vous y à ça étaient était étant été être ô";

// First what a tokenizer of single kana sees: the particles.
constexpr std::string_view kJapanese =
    "は が を に の で と も へ や か ね よ な ば て た し れ る い ま す だ ら さ "
    "これ それ あれ この その あの ここ そこ あそこ こちら どこ だれ なに なん 何 私 僕 彼 彼女 わたし "
    "あなた "
    "です ます でし まし した する して せ いる いた ある あり ない なく なかっ なっ なる なり なら "
    "だっ "
    "から まで より など だけ ほど ばかり しか でも には では とは への との のに ので のは ため よう こと "
    "もの "
    "とき ところ そして また しかし ただし および または さらに つまり ただ まだ もう とても について "
    "において "
    "によって による として られ れる られる せる させる たい ませ ん たり ながら つつ けど けれど ても";

constexpr std::string_view kPortuguese =
    "a ainda além algo alguma algumas alguns ao aos apenas após aquela aquele aqueles aqui aquilo as assim "
    "até "
    "cada com como contra cuja cujo da daquele das de dela dele deles depois desde dessa desse desta deste "
    "do "
    "dos durante e ela elas ele eles em embora enquanto entre era eram essa essas esse esses esta estamos "
    "estar "
    "estas estava este estes estou está estão eu foi for foram fosse há isso isto já lhe lhes lo mais mas me "
    "mesma mesmo meu meus minha minhas muita muito muitos na nas nem nessa nesse nesta neste no nos nossa "
    "nosso "
    "nossos não nós num numa nunca o onde os ou outra outras outro outros para pela pelas pelo pelos per "
    "pois "
    "por porque porém portanto qual quais quando quanto que quem se seja sem sendo ser seu seus será seria "
    "si "
    "sido sob sobre somente sua suas são só também tanto te tem temos tendo ter teu teve tinha toda todas "
    "todo "
    "todos tu tua tudo têm um uma umas uns você vocês vos à às é";

constexpr std::string_view kTurkish =
    "acaba ama ancak artık aslında az bana bazı belki ben benden beni benim bile bir biraz birçok biri "
    "birkaç "
    "birşey biz bize bizi bizim bu buna bunda bundan bunlar bunları bunların bunu bunun burada böyle böylece "
    "bütün da daha dahi de defa değil diye diğer dolayı dolayısıyla dört eden ederek edilen eğer en fakat "
    "gibi "
    "göre hala halen hangi hatta hem henüz hep hepsi her herhangi herkes hiç hiçbir için içinde ile ilgili "
    "ise "
    "işte kadar kendi kendine kendini karşı ki kim kimse mi mu mı mü nasıl ne neden nedenle nerede niçin "
    "niye o "
    "olan olarak oldu olduğu olduğunu olmak olması olsa olup olur ona ondan onlar onları onların onu onun "
    "orada "
    "oysa pek rağmen sadece sanki sen seni senin siz sizi sizin sonra şey şimdi şu şöyle tarafından tüm "
    "üzere "
    "var ve veya ya yani yapılan yerine yine yok zaten çok çünkü öyle";

constexpr std::string_view kItalian =
    "a abbiamo ad agli ai al alcuni alla alle allo allora altra altre altri altro anche ancora avere aveva "
    "avevano c che chi ci ciò cioè coi col come con contro cosa così cui d da dagli dai dal dalla dalle "
    "dallo "
    "degli dei del dell della delle dello dentro di dopo dove e ecco ed era erano essere fa fino fra fu "
    "furono gli ha hai hanno ho i il in infatti io l la le lei li lo loro lui ma me mentre mi mia mie miei "
    "mio "
    "molta molti molto ne negli nei nel nell nella nelle nello no noi non nostra nostri nostro o ogni oltre "
    "oppure ora per perché perciò però più poi poco prima proprio può qua quale quali qualche quando quanto "
    "quella quelle quelli quello questa queste questi questo qui quindi sarà se sei sempre senza si sia "
    "siamo "
    "siete solo sono sopra sotto sta stata state stati stato stesso su sua sue sugli sui sul sull sulla "
    "sulle "
    "suo suoi tra tu tua tuo tutta tutte tutti tutto un una uno verso vi voi vostra vostro è";

constexpr std::string_view kPersian =
    "آن آنها آنچه آیا است اش ام اما ان اند او اگر ای این اینکه با باشد باشند باید بدون بر برای برخی بسیار "
    "بعد بلکه "
    "بنابراین به بود بودن بودند بوده بی بیش بیشتر بین تا تر ترین تمام تنها تو توسط جز چرا چند چنین چه چون "
    "چیزی "
    "حتی خود خواهد خواهند خویش داد دارد دارند داشت داشته در درباره دهد دو دیگر را روی زیر سپس شان شد شدن "
    "شدند شده "
    "شما شود شوند طی علیه فقط قبل ما مانند مثل من مگر می میشود میکند میکنند میشوند نیز نیست نه نمی نمیشود ها "
    "های "
    "هایی هر هم همان همه همچنان همچنین همین هنوز هیچ و ولی وی پس پیش کرد کردن کردند کرده کسی که کند کنند "
    "کنید "
    "کنیم گفت گفته یا یک یکی";

constexpr std::array kLists = {
    StopWordList{"en", kEnglish},    StopWordList{"ru", kRussian}, StopWordList{"es", kSpanish},
    StopWordList{"de", kGerman},     StopWordList{"fr", kFrench},  StopWordList{"ja", kJapanese},
    StopWordList{"pt", kPortuguese}, StopWordList{"tr", kTurkish}, StopWordList{"it", kItalian},
    StopWordList{"fa", kPersian},
};

constexpr std::string_view kChinese =
    "的了是在和有不我他她它这那你们为与也就都而及以对于着过或之把被将从但并其所等很还又再才只让向到由因如若"
    "虽则且即至比吗呢吧啊哪谁什么怎样每各该此自己个会能可要上下中里去来说没"
    "這們為與對於著過將從並還讓嗎誰麼樣該個會後裡說沒雖則";

}  // namespace

std::span<const StopWordList> stop_word_lists() noexcept {
  return kLists;
}

std::string_view chinese_function_characters() noexcept {
  return kChinese;
}

}  // namespace nd::text
