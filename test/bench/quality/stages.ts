// The two models, fitted and cross-fitted. Cross-fitted answers come from models that never saw the page's site.
import { contextNames, contextOf, writeContext } from '../../../packages/html/src/main-content/context.ts'
import type { Forest } from '../../../packages/html/src/main-content/forest.ts'
import { joinTrees, runForest, type EarlyEnd } from '../../../packages/html/src/main-content/trees.ts'
import { binColumns, makeRandom, train, type Matrix, type Options } from './gbdt.ts'
import { baseWidth, type Rows } from './rows.ts'

export interface Task {
  readonly rows: Rows
  readonly folds: number
  readonly seed: number
  readonly fold: Int32Array
  readonly group: Int32Array
  readonly target: Float32Array
  readonly weight: Float32Array
  readonly say: (line: string) => void
}

export const wideWidth = baseWidth + contextNames.length

export function makeTask(rows: Rows, folds: number, seed: number, say: (line: string) => void): Task {
  const fold = new Int32Array(rows.count)
  const group = new Int32Array(rows.count)
  const target = new Float32Array(rows.count)
  const weight = new Float32Array(rows.count)
  rows.samples.forEach((sample, index) => {
    fold.fill(sample.fold, sample.start, sample.start + sample.count)
    group.fill(index, sample.start, sample.start + sample.count)
    target.set(sample.wanted, sample.start)
    weight.set(thin(sample.weight), sample.start)
  })
  return { rows, folds, seed, fold, group, target, weight, say }
}

/** A page of thousands of blocks says little more than a part of them. */
function thin(own: Float32Array): Float32Array {
  const most = 400
  if (own.length <= most) return own
  const random = makeRandom(own.length)
  const share = most / own.length
  return own.map((value) => (random() < share ? value / share : 0))
}

export interface Stage {
  readonly answers: Float32Array
  /** Fitted to all pages; without trees when only cross-fitted answers were asked for. */
  readonly forest: Forest
}

export function fit(
  task: Task,
  values: Float32Array,
  width: number,
  options: Options,
  name: string,
  whole: boolean,
  early?: EarlyEnd,
): Stage {
  const { rows, folds, fold, weight, say } = task
  const matrix = binColumns(values, rows.count, width, makeRandom(task.seed))
  const answers = new Float32Array(rows.count)
  for (let k = 0; k < folds; k++) {
    const others = weight.map((own, row) => (fold[row] === k ? 0 : own))
    const forest = forestOf(task, matrix, others, options)
    for (const sample of rows.samples) {
      if (sample.fold !== k) continue
      const data = values.subarray(sample.start * width, (sample.start + sample.count) * width)
      const starts = Int32Array.from({ length: sample.count }, (_, row) => row * width)
      runForest(forest, { data, starts, count: sample.count }, answers, sample.start, { early })
      leaveOut(sample, answers)
    }
    say(`${name} model, fold ${k + 1} of ${folds}`)
  }
  const forest = whole ? forestOf(task, matrix, weight, options) : joinTrees([], 0)
  return { answers, forest }
}

function leaveOut({ described, start }: Rows['samples'][number], answers: Float32Array): void {
  described.outside.forEach((out, i) => {
    if (out === 1) answers[start + i] = 0
  })
}

function forestOf(task: Task, matrix: Matrix, weight: Float32Array, options: Options): Forest {
  const { trees, start } = train(matrix, task.target, weight, task.group, options)
  return joinTrees(trees, start)
}

/** The rows again, with what the first model thought around each block. */
export function widen({ samples, count }: Rows, values: Float32Array, answers: Float32Array): Float32Array {
  const wide = new Float32Array(count * wideWidth)
  for (const sample of samples) {
    const context = contextOf(sample.described, answers.subarray(sample.start, sample.start + sample.count))
    for (let i = 0; i < sample.count; i++) {
      const row = sample.start + i
      wide.set(values.subarray(row * baseWidth, (row + 1) * baseWidth), row * wideWidth)
      writeContext(sample.described, context, i, wide, row * wideWidth + baseWidth)
    }
  }
  return wide
}
