/**
 * The elements that a browser does not show, in document order: the index in the HTML after the `>` of the start tag, and how
 * the element is hidden, as `writeMark` returns it.
 */
export type HiddenMarks = readonly (readonly [end: number, how: string])[]

/** How a browser hides elements, by their attributes. */
export type Marked = Map<Readonly<Record<string, string>>, string>
