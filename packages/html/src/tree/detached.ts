/**
 * A copy of a text that was cut from a page. An engine may keep such a text as a view of the page, and a program that holds a
 * link would hold the whole page with it.
 */
export function detached(text: string): string {
  return ` ${text}`.slice(1)
}
