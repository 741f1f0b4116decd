"""Sites and what they put around an article: menus, notices, teasers, boxes about authors, footers.

Every site is invented from a seed. What makes it hard are the parts that read like articles: notices and legal text of
several sentences, boxes that come on some pages only, teasers of articles that other pages have in full, and text that
the sites of one network share.
"""
import html
import random

ESCAPE = html.escape
TIMES = ("08:15", "09:40", "11:05", "13:30", "16:45", "19:20", "22:10")


def links(entries, separator=""):
    return separator.join(f'<a href="/t/{number}.html">{ESCAPE(entry)}</a>' for number, entry in enumerate(entries))


def listed(entries):
    return (
        "<ul>" + "".join(f'<li><a href="/c/{n}">{ESCAPE(entry)}</a></li>' for n, entry in enumerate(entries)) + "</ul>"
    )


class Network:
    """Several sites of one owner, with the same notice and the same legal text."""

    def __init__(self, rng, prose):
        self.notice = prose.paragraph(rng, 2, 4)
        self.legal = [prose.paragraph(rng, 2, 4) for _ in range(rng.randint(1, 2))]
        self.menu = [prose.label(rng) for _ in range(rng.randint(5, 9))]


class Site:
    def __init__(self, number, language, prose, articles, seed, network=None):
        rng = random.Random(f"{seed} site {language} {number}")
        self.language, self.prose, self.articles = language, prose, articles
        self.name = f"{language}-site-{number}.example"
        self.host = rng.choice(("www.", "news.", "")) + self.name
        own = Network(rng, prose)
        self.network = network or own
        self.own_menu = [prose.label(rng) for _ in range(rng.randint(4, 14))]
        self.sections = [prose.label(rng) for _ in range(rng.randint(3, 8))]
        self.notice = own.notice if rng.random() < 0.7 else ""
        self.legal = own.legal if network is None else network.legal + own.legal[:1]
        self.authors = [prose.paragraph(rng, 1, 3) for _ in range(rng.randint(2, 5))]
        self.promotions = [prose.paragraph(rng, 1, 4) for _ in range(rng.randint(3, 6))]
        self.headlines = [(prose.phrase(rng, 4, 10), prose.sentence(rng)) for _ in range(rng.randint(8, 16))]
        self.quotes_others = rng.random() < 0.4
        self.documentation = rng.random() < 0.25
        self.style = rng.choice(("p", "p", "div", "br", "cell"))
        self.above = rng.random() < 0.5  # the sidebar in front of the article, as a crawler sees it

    def teasers(self, rng):
        chosen = rng.sample(self.headlines, rng.randint(4, 7))
        if self.quotes_others:
            for article in rng.sample(self.articles, 2):
                chosen.append((article.title, article.paragraphs[0][: rng.randint(80, 160)]))
        rng.shuffle(chosen)
        return "".join(
            f'<div class="teaser"><h4><a href="/a/{rng.randrange(10 ** 6)}">{ESCAPE(title)}</a></h4>'
            f"<span>{rng.choice(TIMES)}</span> {ESCAPE(text)}</div>"
            for title, text in chosen
        )

    def header(self, rng):
        parts = [f'<div id="top"><a href="/">{ESCAPE(self.name)}</a>{listed(self.network.menu + self.own_menu)}</div>']
        if self.notice:
            parts.append(f'<div class="notice"><p>{ESCAPE(self.notice)}</p></div>')
        if self.documentation:
            parts += rng.choice(self.articles).navigation[:1]
        if rng.random() < 0.6:
            parts.append(f'<div class="box"><p>{ESCAPE(rng.choice(self.promotions))}</p></div>')
        return "".join(parts)

    def sidebar(self, rng):
        return f'<div class="side">{listed(self.sections)}{self.teasers(rng)}</div>'

    def footer(self, rng):
        parts = []
        if rng.random() < 0.8:
            parts.append(f'<div class="author"><p>{ESCAPE(rng.choice(self.authors))}</p></div>')
        related = [title for title, _ in rng.sample(self.headlines, 4)]
        parts.append(f'<div class="related"><b>({rng.randrange(200)})</b>{links(related, " | ")}</div>')
        if self.documentation:
            parts += rng.choice(self.articles).navigation[-1:]
        legal = "".join(f"<p>{ESCAPE(paragraph)}</p>" for paragraph in self.legal)
        owner = f"© {rng.randint(2009, 2024)} {ESCAPE(self.name)}"
        parts.append(f'<div id="foot">{links(self.sections, " · ")}{legal}<p>{owner}</p></div>')
        return "".join(parts)

    def main(self, title, paragraphs):
        """`paragraphs` are HTML."""
        heading = f"<h1>{ESCAPE(title)}</h1>"
        if self.style == "br":
            return f'<div class="text">{heading}{"<br><br>".join(paragraphs)}</div>'
        if self.style == "cell":
            return f'<table><tr><td>{heading}{"".join(f"<p>{text}</p>" for text in paragraphs)}</td></tr></table>'
        return (
            f'<div class="text">{heading}'
            + "".join(f"<{self.style}>{text}</{self.style}>" for text in paragraphs)
            + "</div>"
        )

    def page(self, rng, title, paragraphs, charset, of_page=None):
        """The page with those paragraphs (HTML) in the frame; charset: what the head declares, or None; of_page: the
        chance by which the footer names an author and related pages, rng if there is none."""
        declared = f'<meta charset="{charset}">' if charset else ""
        side = self.sidebar(rng)
        body = [self.header(rng), self.main(title, paragraphs) if paragraphs else "", self.footer(of_page or rng)]
        body.insert(1 if self.above else 2, side)
        return (
            f"<!DOCTYPE html><html><head>{declared}<title>{ESCAPE(title)} - {ESCAPE(self.name)}</title>"
            f"<style>.side{{float:right}}</style></head><body>{''.join(body)}"
            f"<script>var page={rng.randrange(10 ** 6)};</script></body></html>"
        )
