// What our code in pages returns.

/** What a page shows, as far as its completeness can be told from that. */
export interface PageState {
  /**
   * `done`: it shows content. `empty`: it shows nothing. `loading`: a spinner, a skeleton or a text says that content is
   * to come. `leaving`: it is about to go to another URL. `frames`: what it shows is in frames. `canvas`: it is drawn.
   */
  readonly kind: 'done' | 'empty' | 'loading' | 'leaving' | 'frames' | 'canvas'
  /** Characters of its main text, up to a limit. */
  readonly length: number
}

/** A page that has been quiet for a while. */
export interface SettledPage {
  /** Whether something looks like a cookie notice. */
  readonly notice: boolean
  readonly state: PageState
  /** Nothing in the page can change it: it has neither scripts nor frames, and leads nowhere. */
  readonly isFinal: boolean
}

/** A document as text. */
export interface Reading {
  /** Its first characters. */
  readonly start: string
  /** Characters of the whole text. */
  readonly length: number
  /** Frames that have a mark in it, because they cannot be read from there. */
  readonly foreign: number
}

/** What keeps a person from clicking an element. */
export type Problem = 'gone' | 'hidden' | 'disabled' | 'covered' | 'outside'

/** Where to click an element in its frame, or what keeps a person from that. */
export type Aim = { readonly x: number; readonly y: number } | { readonly problem: Problem; readonly by?: string }
