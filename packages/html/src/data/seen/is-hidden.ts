import type { Element } from '../../tree/tree.ts'

const hidden = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i

/**
 * Returns whether the element's own attributes hide it: `hidden`, or a `style` with `display: none` or `visibility: hidden`.
 */
export function isHidden({ attributes }: Element): boolean {
  return attributes['hidden'] !== undefined || hidden.test(attributes['style'] ?? '')
}
