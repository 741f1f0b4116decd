"""Names at lines and points in place of a legend, without one on top of the other."""
import numpy as np
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import Bbox

LINE_GAP_POINTS = 10.5
LINE_STEP_DOTS, MOST_LINE_STEPS = 3, 2000
HALO = withStroke(linewidth=2.2, foreground="white")


def root(figure):
    while figure is not getattr(figure, "figure", figure):
        figure = figure.figure
    return figure


def spread(wanted, gap, low, high):
    """Positions near the wanted ones (ascending), at least `gap` apart, within low and high as far as there is room."""
    places = []
    for value in wanted:
        places.append(max(value, places[-1] + gap) if places else max(value, low))
    if places and places[-1] > high:
        places[-1] = high
        for index in range(len(places) - 2, -1, -1):
            places[index] = min(places[index], places[index + 1] - gap)
    return places


def at_line_ends(wanted, size=8.5):
    """`wanted`: (axes, [(y, text, colour)]) for each panel. The names stand right of the panel, as near to y
    as they can."""
    wanted = [(axes, items) for axes, items in wanted if items]
    if not wanted:
        return
    figure = root(wanted[0][0].figure)
    figure.draw_without_rendering()
    for axes, items in wanted:
        box = axes.get_window_extent()
        gap = LINE_GAP_POINTS * figure.dpi / 72 / box.height
        items = sorted(items, key=lambda item: item[0])
        heights = [
            axes.transAxes.inverted().transform(axes.transData.transform((axes.get_xlim()[1], y)))[1]
            for y, _, _ in items
        ]
        for (_, text, colour), own, place in zip(items, heights, spread(heights, gap, 0.0, 1.0)):
            axes.annotate(
                text,
                xy=(1, own),
                xycoords="axes fraction",
                xytext=(1.035, place),
                textcoords="axes fraction",
                color=colour,
                fontsize=size,
                va="center",
                ha="left",
                annotation_clip=False,
                arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 0},
            )


PLACES = (
    (6, 0, "left", "center"),
    (-6, 0, "right", "center"),
    (0, 7, "center", "bottom"),
    (0, -7, "center", "top"),
    (6, 7, "left", "bottom"),
    (6, -7, "left", "top"),
    (-6, 7, "right", "bottom"),
    (-6, -7, "right", "top"),
    (14, 14, "left", "bottom"),
    (14, -14, "left", "top"),
    (-14, 14, "right", "bottom"),
    (-14, -14, "right", "top"),
    (0, -22, "center", "top"),
    (0, 22, "center", "bottom"),
    (26, -26, "left", "top"),
    (-26, -26, "right", "top"),
    (30, -40, "left", "top"),
    (-30, -40, "right", "top"),
    (34, -55, "left", "top"),
    (-34, -55, "right", "top"),
)


def beside_points(wanted, size=8):
    """`wanted`: (axes, [(x, y, text, colour)]), the most important first. A name keeps clear of other names, of points
    and, if it can, of lines; one that finds no free place is left out: returns those."""
    wanted = [(axes, points) for axes, points in wanted if points]
    if not wanted:
        return []
    figure = root(wanted[0][0].figure)
    figure.draw_without_rendering()
    left_out = []
    for axes, points in wanted:
        frame = axes.get_window_extent()
        dots = [axes.transData.transform((x, y)) for x, y, _, _ in points]
        taken = [Bbox.from_extents(x - 3.5, y - 3.5, x + 3.5, y + 3.5) for x, y in dots]
        lines = line_points(axes)
        for point in points:
            if not any(
                place_beside(figure, axes, point, frame, taken, avoided, size) for avoided in (lines, lines[:0])
            ):
                left_out.append(point[2])
    return left_out


def line_points(axes):
    """Places on the screen that the lines of a panel pass through, a few dots apart."""
    places = [np.empty((0, 2))]
    for line in axes.get_lines():
        if line.get_linestyle() == "None" or line.get_transform() != axes.transData:
            continue
        ends = axes.transData.transform(line.get_path().vertices)
        ends = ends[np.isfinite(ends).all(axis=1)]
        for start, end in zip(ends, ends[1:]):
            steps = min(int(np.abs(end - start).max() / LINE_STEP_DOTS) + 1, MOST_LINE_STEPS)
            places.append(start + (end - start) * np.linspace(0, 1, steps + 1)[:, None])
    return np.concatenate(places)


def is_crossed(box, places):
    return bool(((places >= box.min) & (places <= box.max)).all(axis=1).any())


def place_beside(figure, axes, point, frame, taken, avoided, size):
    x, y, text, colour = point
    for right, up, horizontal, vertical in PLACES:
        far = abs(right) + abs(up) > 13
        note = axes.annotate(
            text,
            xy=(x, y),
            xytext=(right, up),
            textcoords="offset points",
            ha=horizontal,
            va=vertical,
            fontsize=size,
            color=colour,
            zorder=6,
            path_effects=[HALO],
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 2}
            if far
            else None,
        )
        note.set_in_layout(False)
        box = note.get_window_extent(figure.canvas.get_renderer()) if not far else text_box(note, figure)
        inside = frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1
        if inside and not any(box.overlaps(other) for other in taken) and not is_crossed(box, avoided):
            taken.append(box)
            return True
        note.remove()
    return False


def text_box(note, figure):
    """Of the text alone, without its line."""
    note.update_positions(figure.canvas.get_renderer())
    return Text.get_window_extent(note, figure.canvas.get_renderer())
