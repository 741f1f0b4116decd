"""One look for all figures: colours, fonts, sizes, axes."""
import math

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from sentences import shortened

# Okabe and Ito: told apart with any colour vision. Yellow is left out, which paper swallows.
BLUE, VERMILION, GREEN, ORANGE, SKY, PURPLE, BLACK = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#E69F00",
    "#56B4E9",
    "#CC79A7",
    "#222222",
)
GREY, LIGHT_GREY, HIGHLIGHT = "#767676", "#D9D9D9", "#E6F4EE"
SERIES = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, BLACK, GREY)
LINE_STYLES = ("-", (0, (5, 1.5)), (0, (1, 1)), (0, (5, 1.5, 1, 1.5)))
PRECISION, RECALL, F1 = BLUE, VERMILION, BLACK
REPORTED = PURPLE  # what a document reports, always a hollow diamond

BESIDE_INCHES = 8.5  # of a figure that has its texts beside it: up to two runs
ACROSS_INCHES = 12.4  # of one above its texts
HEIGHT_LIMIT_INCHES = 60  # matplotlib draws less than 65,536 dots
PNG_DOTS_PER_INCH = 160

SETTINGS = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E8E8E8",
    "grid.linewidth": 0.7,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 4,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.fonttype": "path",
    "svg.hashsalt": "ndc eval",
    "text.parse_math": False,  # names of corpora are text, whatever stands in them
}


def set_up():
    matplotlib.rcParams.update(SETTINGS)


def width_of(runs):
    return BESIDE_INCHES if len(runs) < 3 else ACROSS_INCHES


def new_figure(runs, height):
    """An empty figure as wide as so many runs want; height in inches."""
    figure = Figure(figsize=(width_of(runs), min(height, HEIGHT_LIMIT_INCHES)), layout="constrained")
    FigureCanvasAgg(figure)  # measures text
    return figure


def panels(runs, row_heights, **options):
    """A figure with a column a run, and its axes [row][column]; heights in inches."""
    figure = new_figure(runs, sum(row_heights) + 0.3)
    axes = figure.subplots(
        len(row_heights), len(runs), squeeze=False, gridspec_kw={"height_ratios": row_heights}, **options
    )
    for run, top in zip(runs, axes[0]):
        top.set_title(shortened(run.name, 36))
    return figure, axes


def plain_number(value):
    """As it stands on an axis: 0.01, 5, 1,000, 2 M."""
    if value >= 1e9:
        return f"{value / 1e9:g} G"
    if value >= 1e6:
        return f"{value / 1e6:g} M"
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"


def has_positive(axis):
    """Whether anything greater than 0 is drawn along an axis, in any of the panels that share it."""
    own = axis.axes
    along = own.get_shared_x_axes() if axis.axis_name == "x" else own.get_shared_y_axes()
    return any(math.isfinite(getattr(other.dataLim, f"minpos{axis.axis_name}")) for other in along.get_siblings(own))


def log_axis(axis, least, most):
    """A logarithmic axis over these values, with ticks in plain numbers."""
    least, most = max(least, 1e-9), max(most, least, 1e-9)
    first, last = math.floor(math.log10(least)), math.ceil(math.log10(most))
    last = max(last, first + 1)
    if not has_positive(axis):
        # Of limits that follow such data no logarithm can be taken.
        (axis.axes.set_xlim if axis.axis_name == "x" else axis.axes.set_ylim)(10.0**first, 10.0**last)
    (axis.axes.set_xscale if axis.axis_name == "x" else axis.axes.set_yscale)("log")
    step = max(1, (last - first) // 6)
    ticks = [10.0**power for power in range(first, last + 1, step)]
    if last - first <= 2:
        ticks = [tick * times for tick in ticks for times in (1, 2, 5) if least / 1.5 <= tick * times <= most * 1.5]
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, position: plain_number(value)))


def thousands(axis):
    axis.set_major_formatter(FuncFormatter(lambda value, position: f"{value:,.0f}"))


def share_axis(axes, values, least=0.0):
    """A y axis for shares of 1 that leaves no half of the panel empty, and never begins above `least` shares of
    what is shown."""
    low = min([value for value in values if value is not None], default=0)
    step = 0.2 if low < 0.6 else 0.1 if low < 0.8 else 0.05 if low < 0.9 else 0.02
    bottom = max(least, math.floor(low / step - 0.15) * step)
    axes.set_ylim(bottom - (1 - bottom) * 0.03, 1 + (1 - bottom) * 0.04)


def legend_above(figure, handles, lines=1):
    """One legend for all panels, above them; the layout leaves it room."""
    if not handles:
        return
    share = (0.24 * lines + 0.06) / figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, 0, 1, 1 - share))
    figure.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(0, 1),
        ncol=math.ceil(len(handles) / lines),
        handlelength=2.2,
        columnspacing=1.4,
        borderaxespad=0.2,
    )


def line(colour, text, **options):
    """An entry of a legend."""
    return Line2D([], [], color=colour, label=text, **options)


def reported_entry(text="as reported"):
    return line(
        REPORTED, text, marker="D", markersize=6, markerfacecolor="white", markeredgewidth=1.6, linestyle="none"
    )


def reported_points(axes, points):
    """Hollow diamonds: what the document reports."""
    for x, y in points:
        axes.plot(
            [x],
            [y],
            marker="D",
            markersize=6.5,
            markerfacecolor="white",
            markeredgecolor=REPORTED,
            markeredgewidth=1.6,
            linestyle="none",
            zorder=5,
            clip_on=False,
        )


def save(figure, folder, name):
    """folder/name.svg and .png; the same figure gives the same SVG."""
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    figure.savefig(folder / f"{name}.png", dpi=PNG_DOTS_PER_INCH)
