import type { Element } from './tree.ts'

/** Marks the `div` that replaces a frame whose document was inlined. Selectors see it as an `iframe`. */
export const frameMark = 'data-harvestman-frame'

/** Returns whether the element is a `div` that replaced a frame, with the document of the frame as its content. */
export function isInlinedFrame({ name, attributes }: Element): boolean {
  return name === 'div' && frameMark in attributes
}
