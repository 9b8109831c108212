import type { Explanation, Step } from '@harvestman/core'

/** The first step in which two runs differ. */
export interface StepDifference {
  /** Index of the step, from 0. */
  readonly place: number
  /** The step of the first run, or `undefined` if it had fewer. */
  readonly before?: Step | undefined
  /** The step of the second run, or `undefined` if it had fewer. */
  readonly after?: Step | undefined
  /** The difference as a sentence. */
  readonly says: string
}

/**
 * Compares the `explain` of two documents. Returns the first step that differs, or `undefined`. Times are ignored.
 * `place` is its index, from 0.
 */
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
