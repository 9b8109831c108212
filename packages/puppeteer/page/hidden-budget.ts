/** Thrown when a page needs more work than one page may take. */
export class TooMuchWork extends Error {}

const maxSteps = 100_000
let left = maxSteps

/** Counts one step of a search whose length the page decides: a look at another element, a box or a rule. */
export function spend(): void {
  if (--left < 0) throw new TooMuchWork()
}
