import type { Box, Line } from '../types.ts'

/**
 * Returns whether the lines around the one at index `at` are separate items and not one sentence: all begin with a capital or
 * a digit and end early, as in a postal address.
 */
export function isStacked(lines: readonly Line[], at: number, frame: Pick<Box, 'left' | 'right'>): boolean {
  let [from, to] = [at - 1, at]
  while (isNextTo(lines[from - 1], lines[from])) from -= 1
  while (isNextTo(lines[to], lines[to + 1])) to += 1
  const early = frame.left + (frame.right - frame.left) * 0.6
  return lines
    .slice(from, to + 1)
    .every(({ text, right, left }) => right - left + frame.left < early && beginsAnew.test(text))
}

const beginsAnew = /^["'\u201c(]?[\p{Lu}\p{N}]/u

function isNextTo(above: Line | undefined, below: Line | undefined): boolean {
  return above !== undefined && below !== undefined && below.y - above.y < below.size * 1.6 && above.size === below.size
}
