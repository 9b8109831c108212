// Results of our scripts in pages.

/** How complete a page is, as far as it can be recognised. */
export interface PageState {
  /**
   * `done`: it shows content. `empty`: it shows nothing. `loading`: a spinner, a skeleton or text announces content. `leaving`:
   * it is about to navigate. `frames`: its content is in frames. `canvas`: its content is drawn on a canvas. `busy`: it shows
   * content, and an empty part announces more.
   */
  readonly kind: 'done' | 'empty' | 'loading' | 'leaving' | 'frames' | 'canvas' | 'busy'
  /** Number of characters of its main text, up to a limit. */
  readonly length: number
}

/** A page that has been quiet for a while. */
export interface SettledPage {
  /** Whether something looks like a cookie notice. */
  readonly notice: boolean
  readonly state: PageState
  /** Whether nothing in the page can change it: it has neither scripts nor frames, and does not redirect. */
  readonly isFinal: boolean
}

/** A serialized document. */
export interface Reading {
  /** Its first characters. */
  readonly start: string
  /** Number of characters of the complete text. */
  readonly length: number
  /** Number of frames that cannot be read from this document and have a mark instead. */
  readonly foreign: number
  /** Whether the document was searched for hidden elements. */
  readonly isExamined: boolean
  /** Whether a limit ended the search although style sheets at other URLs may hide elements. */
  readonly isIncomplete: boolean
}

/** Why an element cannot be clicked. */
export type Problem = 'gone' | 'hidden' | 'disabled' | 'covered' | 'outside'

/** Where to click an element in its frame, or why it cannot be clicked. */
export type Aim = { readonly x: number; readonly y: number } | { readonly problem: Problem; readonly by?: string }

/**
 * Where a press of a mouse button or finger went. `unknown`: the page showed no press, for example because it is in a frame
 * inside the element, or because the page hides its events.
 */
export type PressOutcome =
  | { readonly reached: 'element' | 'unknown' }
  | { readonly reached: 'other'; readonly by: string }
