import type { Rule } from '../types.ts'

export type Matrix = readonly [number, number, number, number, number, number]

/** The drawing operations of a page, as the library returns them. */
export interface Drawing {
  readonly steps: readonly number[]
  readonly inputs: readonly unknown[]
}

/** Codes of the drawing operations that are used here. */
export interface StepNames {
  readonly save: number
  readonly restore: number
  readonly transform: number
  readonly constructPath: number
  readonly fill: number
  readonly eoFill: number
  readonly endPath: number
  readonly paintFormXObjectBegin: number
  readonly paintFormXObjectEnd: number
}

// Thicker shapes are bars or boxes; shorter ones are ticks or parts of characters.
const thickest = 3
const shortest = 8
const maxRules = 5_000

/** Multiplies two transformation matrices: `n` applies first, then `m`. */
export function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ]
}

/** Returns whether the value has six finite numbers. */
export function isMatrix(value: unknown): value is Matrix {
  return isNumbers(value) && value.length === 6 && Array.from(value).every((number) => Number.isFinite(number))
}

/** Returns whether the value is an array or a typed array; the library returns both. */
export function isNumbers(value: unknown): value is ArrayLike<number> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))
}

/**
 * Returns the horizontal and vertical lines of a page: sides of boxes, and boxes as thin as a line, at least 8 units long.
 * Of filled boxes, which are coloured rows or cells, only the upper and the lower
 * side is returned. Ignores further paths once there are 5,000. `start` converts to page coordinates.
 */
export function findRules({ steps, inputs }: Drawing, names: StepNames, start: Matrix): Rule[] {
  const rules: Rule[] = []
  const saved: Matrix[] = []
  let matrix = start
  for (const [index, step] of steps.entries()) {
    if (rules.length >= maxRules) break
    const input = inputs[index] as readonly unknown[] | null
    if (step === names.save) saved.push(matrix)
    else if (step === names.restore || step === names.paintFormXObjectEnd) matrix = saved.pop() ?? start
    else if (step === names.transform && isMatrix(input)) matrix = multiply(matrix, input)
    else if (step === names.paintFormXObjectBegin) {
      saved.push(matrix)
      if (isMatrix(input?.[0])) matrix = multiply(matrix, input[0])
    } else if (step === names.constructPath) addPath(input, matrix, names, rules)
  }
  return rules
}

function addPath(input: readonly unknown[] | null, matrix: Matrix, names: StepNames, rules: Rule[]): void {
  const [numbers] = (input?.[1] ?? []) as readonly unknown[]
  // Paths that only clip are not drawn.
  if (!isNumbers(numbers) || input?.[0] === names.endPath) return
  const isFilled = input?.[0] === names.fill || input?.[0] === names.eoFill
  for (const path of subpaths(numbers, matrix)) {
    const found = rulesOf(path)
    // Coloured rows show where rows end. Their sides are not lines between columns.
    const isArea = isFilled && found.length > 1
    rules.push(...(isArea ? found.filter(({ top, bottom }) => top === bottom) : found))
  }
}

type Point = readonly [number, number]

// Number of coordinates after each path operation: move, line, curve, quadratic curve, close.
const following = [2, 2, 6, 4, 0]

function subpaths(numbers: ArrayLike<number>, m: Matrix): Point[][] {
  const paths: Point[][] = []
  let path: Point[] = []
  for (let at = 0; at < numbers.length;) {
    const mark = numbers[at] ?? 0
    const count = following[mark] ?? 0
    if (mark === 0) paths.push((path = []))
    // `NaN` excludes a path with curves from being a line.
    if (mark <= 1) {
      const [x, y] = [numbers[at + 1] ?? Number.NaN, numbers[at + 2] ?? Number.NaN]
      path.push([m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]])
    } else if (mark < 4) path.push([Number.NaN, Number.NaN])
    else if (path[0]) path.push(path[0])
    at += 1 + count
  }
  return paths
}

function rulesOf(path: readonly Point[]): Rule[] {
  const xs = path.map(([x]) => x)
  const ys = path.map(([, y]) => y)
  if (path.length < 2 || path.length > 8 || [...xs, ...ys].some(Number.isNaN)) return []
  const box = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
  const width = box.right - box.left
  const height = box.bottom - box.top
  if (height <= thickest && width >= shortest) return [flat(box)]
  if (width <= thickest && height >= shortest) return [upright(box)]
  if (width < shortest || height < shortest) return []
  return path.slice(1).flatMap((point, index) => sideOf(path[index] ?? point, point))
}

function sideOf([x1, y1]: Point, [x2, y2]: Point): Rule[] {
  const box = { left: Math.min(x1, x2), right: Math.max(x1, x2), top: Math.min(y1, y2), bottom: Math.max(y1, y2) }
  if (box.bottom - box.top < 0.5 && box.right - box.left >= shortest) return [flat(box)]
  return box.right - box.left < 0.5 && box.bottom - box.top >= shortest ? [upright(box)] : []
}

function flat({ left, right, top, bottom }: Rule): Rule {
  const y = (top + bottom) / 2
  return { left, right, top: y, bottom: y }
}

function upright({ left, right, top, bottom }: Rule): Rule {
  const x = (left + right) / 2
  return { left: x, right: x, top, bottom }
}
