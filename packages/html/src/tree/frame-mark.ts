import type { Element } from './tree.ts'

/** Marks the `div` that stands for a frame whose document has become part of the page. Selectors see an `iframe`. */
export const frameMark = 'data-harvestman-frame'

/** True for a `div` that stands for such a frame. */
export function isInlinedFrame({ name, attributes }: Element): boolean {
  return name === 'div' && frameMark in attributes
}
