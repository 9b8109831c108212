import type { Explanation, Step } from '@harvestman/core'

/** The first step in which two runs differ. */
export interface StepDifference {
  /** Its place among the steps, from 0 on. */
  readonly place: number
  /** That of the first run; absent when it had no more. */
  readonly before?: Step | undefined
  /** That of the second run; absent when it had no more. */
  readonly after?: Step | undefined
  /** A sentence about it. */
  readonly says: string
}

/** Compares how two documents came about, by their `explain`. Gives the first step that differs; times do not count. */
export function compareSteps(
  before: Pick<Explanation, 'steps'>,
  after: Pick<Explanation, 'steps'>,
): StepDifference | undefined {
  const most = Math.max(before.steps.length, after.steps.length)
  for (let place = 0; place < most; place += 1) {
    const [one, other] = [before.steps[place], after.steps[place]]
    if (textOf(one) !== textOf(other))
      return {
        place,
        before: one,
        after: other,
        says: `Step ${place + 1} was ${textOf(one)}, and is ${textOf(other)}.`,
      }
  }
  return undefined
}

function textOf(step: Step | undefined): string {
  if (!step) return 'not there'
  const { step: name, outcome, loader, reason, status, digest } = step
  return [name, loader, outcome, status, digest, reason && `(${reason})`].filter(Boolean).join(' ')
}
