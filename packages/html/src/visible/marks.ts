// Hidden elements as a browser has found them, instead of the search in style sheets.
import { isInlinedFrame } from '../tree/frame-mark.ts'
import type { Marked } from '../tree/hidden-marks.ts'
import type { Element } from '../tree/tree.ts'
import { elementsOf } from '../tree/walk.ts'
import type { HiddenReason } from './causes.ts'

/** How a browser hides an element. */
export interface Mark {
  /**
   * With `visibility`, `font-size`, `indent` and `color`, the text in the element is hidden, but not that of elements in it
   * that are `shown`. Other reasons hide the element with all its descendants.
   */
  readonly reason: HiddenReason | 'shown'
  /** Whether an animation, a transition or a script on scroll shows it. */
  readonly isRevealed: boolean
  /** Whether it has a background image. */
  readonly hasPicture: boolean
  /** By which rules of the page a visitor can make it visible. */
  readonly state: 'pointer' | 'script' | undefined
}

/** Returns the mark as a string, for `HiddenMarks`. */
export function writeMark({ reason, isRevealed, hasPicture, state }: Mark): string {
  return `${reason} ${isRevealed ? 'r' : ''}${hasPicture ? 'i' : ''}${state === undefined ? '' : state[0]}`.trim()
}

function readMark(how: string): Mark {
  const [reason, flags = ''] = how.split(' ')
  return {
    reason: reason as Mark['reason'],
    isRevealed: flags.includes('r'),
    hasPicture: flags.includes('i'),
    state: flags.includes('p') ? 'pointer' : flags.includes('s') ? 'script' : undefined,
  }
}

/** The ancestors that make text invisible, by cause. */
export interface Inherited {
  readonly visibility: Element | undefined
  readonly size: Element | undefined
  readonly indent: Element | undefined
  readonly color: Element | undefined
}

export const shown: Inherited = { visibility: undefined, size: undefined, indent: undefined, color: undefined }

const textReasons = { visibility: 'visibility', 'font-size': 'size', indent: 'indent', color: 'color' } as const

const isOfText = (reason: string): reason is keyof typeof textReasons => reason in textReasons

/** The findings of a browser. Documents of frames are not part of them. */
export class Findings {
  readonly #marks = new Map<Element['attributes'], Mark>()
  readonly #inFrames = new Set<Element>()

  constructor(marked: Marked, elements: readonly Element[]) {
    for (const [attributes, how] of marked) this.#marks.set(attributes, readMark(how))
    for (const frame of elements.filter(isInlinedFrame)) {
      for (const element of elementsOf(frame)) this.#inFrames.add(element)
    }
  }

  get isEmpty(): boolean {
    return this.#marks.size === 0 && this.#inFrames.size === 0
  }

  /** Whether the element was examined. */
  covers(element: Element): boolean {
    return !this.#inFrames.has(element)
  }

  of(element: Element): Mark | undefined {
    return this.#marks.get(element.attributes)
  }

  /** Returns how the element is hidden with all its descendants, or `undefined` if it is not. */
  boxReason(element: Element): HiddenReason | undefined {
    const reason = this.of(element)?.reason
    if (reason === undefined || reason === 'shown' || isOfText(reason)) return undefined
    return element.name === 'dialog' && reason === 'display' ? 'dialog' : reason
  }

  /** Returns the ancestors that hide text in the element. `isOpen`: it counts as content although it is hidden. */
  inherit(element: Element, above: Inherited, isOpen: boolean): Inherited {
    if (isOpen) return shown
    const reason = this.of(element)?.reason
    if (reason === undefined) return above
    return isOfText(reason) ? { ...shown, [textReasons[reason]]: element } : shown
  }
}
