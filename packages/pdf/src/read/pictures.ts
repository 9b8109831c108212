// Finds the pictures of a page: images and drawings with curves or oblique lines.
import type { Box } from '../types.ts'
import { isMatrix, isNumbers, multiply, type Drawing, type Matrix, type StepNames } from './rules.ts'

/** Codes of further operations that draw something. */
export interface PictureStepNames extends StepNames {
  readonly beginText: number
  readonly shadingFill: number
}

// Size of the cells that a page is divided into, in points. Parts of one picture are in adjacent cells.
const cell = 9
const maxCells = 40_000
/** Smaller pictures are logos, icons and bullets. */
const smallest = 36
/** A picture of more than this part of the page is its background, or a scan. */
const largest = 0.8
const maxShapes = 20_000
/** Maximum number of cells that all shapes of a page cover together. */
const maxCovered = 2_000_000
/** A drawing of fewer curves and oblique lines is a character, a logo or an arrow. */
const minShapes = 3
/** Maximum number of pictures of a page. */
const maxPictures = 50

/**
 * Returns the boxes of the pictures of a page, from top to bottom, at most 50. The drawing has no images, because the library
 * omits images that it does not decode. It has their position: a transformation of the unit square with which nothing is drawn.
 * `start` converts to page coordinates.
 */
export function findPictures(drawing: Drawing, names: PictureStepNames, start: Matrix, page: PageSize): Box[] {
  const grid = makeGrid(page)
  if (!grid) return []
  let shapes = 0
  for (const { box, isImage } of partsOf(drawing, names, start)) {
    if (shapes >= maxShapes) break
    shapes += 1
    const seen = inside(box, page)
    // A background or a frame would join everything on it to one picture.
    if (seen && !isBackground(seen, page)) grid.add(seen, isImage ? minShapes : 1)
  }
  return grid
    .boxes()
    .filter((box) => isPicture(box, page))
    .toSorted((a, b) => a.top - b.top)
    .slice(0, maxPictures)
}

interface PageSize {
  readonly width: number
  readonly height: number
}

function isPicture(box: Box, page: PageSize): boolean {
  const { left, right, top, bottom } = box
  return right - left >= smallest && bottom - top >= smallest && !isBackground(box, page)
}

function isBackground({ left, right, top, bottom }: Box, { width, height }: PageSize): boolean {
  return (right - left) * (bottom - top) > width * height * largest
}

interface Part {
  readonly box: Box
  readonly isImage: boolean
}

function* partsOf({ steps, inputs }: Drawing, names: PictureStepNames, start: Matrix): Generator<Part> {
  const drawn = new Set([
    names.constructPath,
    names.beginText,
    names.shadingFill,
    names.save,
    names.paintFormXObjectBegin,
  ])
  const saved: Matrix[] = []
  let matrix = start
  // Whether nothing was drawn since the last transformation.
  let isPlaced = false
  for (const [index, step] of steps.entries()) {
    const input = inputs[index] as readonly unknown[] | null
    if (drawn.has(step)) isPlaced = false
    if (step === names.save) saved.push(matrix)
    else if (step === names.restore || step === names.paintFormXObjectEnd) {
      if (step === names.restore && isPlaced) yield { box: around(unitSquare, matrix), isImage: true }
      matrix = saved.pop() ?? start
      isPlaced = false
    } else if (step === names.transform && isMatrix(input)) {
      matrix = multiply(matrix, input)
      isPlaced = true
    } else if (step === names.paintFormXObjectBegin) {
      saved.push(matrix)
      if (isMatrix(input?.[0])) matrix = multiply(matrix, input[0])
    } else if (step === names.constructPath && input?.[0] !== names.endPath) {
      const [numbers] = (input?.[1] ?? []) as readonly unknown[]
      const points = isNumbers(numbers) ? drawnPoints(numbers) : undefined
      if (points) yield { box: around(points, matrix), isImage: false }
    }
  }
}

type Point = readonly [x: number, y: number]

const unitSquare: readonly Point[] = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
]

// Number of coordinates after each path operation: move, line, curve, quadratic curve, close.
const following = [2, 2, 6, 4, 0]

/** Returns the corners of a path with a curve or an oblique line, or `undefined` for lines and boxes, such as those of tables. */
function drawnPoints(numbers: ArrayLike<number>): readonly Point[] | undefined {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  let isDrawn = false
  let [x, y] = [Number.NaN, Number.NaN]
  for (let at = 0; at < numbers.length;) {
    const mark = numbers[at] ?? 0
    const count = following[mark] ?? 0
    const [nextX, nextY] = [numbers[at + count - 1] ?? 0, numbers[at + count] ?? 0]
    if (count > 0) {
      isDrawn ||= mark > 1 || (mark === 1 && Math.abs(nextX - x) > 1 && Math.abs(nextY - y) > 1)
      ;[x, y] = [nextX, nextY]
      ;[left, right] = [Math.min(left, x), Math.max(right, x)]
      ;[top, bottom] = [Math.min(top, y), Math.max(bottom, y)]
    }
    at += 1 + count
  }
  if (!isDrawn) return undefined
  return [
    [left, top],
    [right, top],
    [left, bottom],
    [right, bottom],
  ]
}

function around(points: readonly Point[], m: Matrix): Box {
  const xs = points.map(([x, y]) => m[0] * x + m[2] * y + m[4])
  const ys = points.map(([x, y]) => m[1] * x + m[3] * y + m[5])
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

interface CellGrid {
  /** Adds a shape of the page, which counts `weight` times. */
  add(box: Box, weight: number): void
  /** Returns the boxes around the shapes in connected cells, if there are enough of them. */
  boxes(): Box[]
}

/** Makes a grid of the cells of a page, or returns `undefined` if the page is too large. */
function makeGrid({ width, height }: PageSize): CellGrid | undefined {
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)]
  if (!(columns * rows > 0 && columns * rows <= maxCells)) return undefined
  const parents = new Int32Array(columns * rows).fill(-1)
  let covered = 0
  const shapes: { readonly box: Box; readonly weight: number; readonly place: number }[] = []
  const rootOf = (place: number): number => {
    let at = place
    while (parents[at] !== at) {
      parents[at] = parents[parents[at] ?? at] ?? at
      at = parents[at] ?? at
    }
    return at
  }
  const join = (a: number, b: number): void => {
    if (parents[b] === -1) parents[b] = b
    if (parents[a] === -1) parents[a] = a
    const [first, second] = [rootOf(a), rootOf(b)]
    if (first !== second) parents[second] = first
  }
  return {
    add: (box, weight) => {
      const [left, right] = [Math.floor(box.left / cell), Math.min(columns - 1, Math.floor(box.right / cell))]
      const [top, bottom] = [Math.floor(box.top / cell), Math.min(rows - 1, Math.floor(box.bottom / cell))]
      covered += (right - left + 1) * (bottom - top + 1)
      if (covered > maxCovered) return
      const place = top * columns + left
      for (let row = top; row <= bottom; row++)
        for (let column = left; column <= right; column++) join(place, row * columns + column)
      shapes.push({ box, weight, place })
    },
    boxes: () => {
      for (let place = 0; place < parents.length; place++) {
        if (parents[place] === -1) continue
        const isLast = (place + 1) % columns === 0
        if (!isLast && parents[place + 1] !== -1) join(place, place + 1)
        if (place + columns < parents.length && parents[place + columns] !== -1) join(place, place + columns)
      }
      const groups = Map.groupBy(shapes, ({ place }) => rootOf(place))
      return [...groups.values()]
        .filter((group) => group.reduce((sum, { weight }) => sum + weight, 0) >= minShapes)
        .map((group) => group.map(({ box }) => box).reduce(joined))
    },
  }
}

/** Cuts a box at the edges of the page. Returns `undefined` if it is outside of the page. */
function inside({ left, right, top, bottom }: Box, { width, height }: PageSize): Box | undefined {
  const cut = (at: number, end: number): number => Math.min(end, Math.max(0, at))
  const box = { left: cut(left, width), right: cut(right, width), top: cut(top, height), bottom: cut(bottom, height) }
  const isThere = [left, right, top, bottom].every(Number.isFinite) && right >= 0 && left < width && bottom >= 0
  return isThere && top < height ? box : undefined
}

function joined(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    right: Math.max(a.right, b.right),
    top: Math.min(a.top, b.top),
    bottom: Math.max(a.bottom, b.bottom),
  }
}
