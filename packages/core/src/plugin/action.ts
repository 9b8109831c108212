// Actions: user input and other operations on a live page.
import type { z } from 'zod'

import type { Clock, Tab, Value } from '@harvestman/ports'
import type { ReadMore } from './field.ts'

/** An operation on a live page that requests list in `actions`, such as a click. */
export interface Action<
  Type extends string = string,
  Schema extends z.ZodObject = z.ZodObject,
  Result extends ActionResult = ActionResult,
> {
  readonly type: Type
  readonly schema: Schema
  /** Checks rules between fields. Returns an error message, or `undefined` if they are valid. */
  check(options: unknown): string | undefined
  run(tab: Tab, options: unknown, context: ActionContext): Promise<Result | undefined>
  /** Milliseconds that the action spends waiting. The sum over a request is limited to 60,000. */
  waits(options: unknown): number
  /** Browser features that the action needs. Default: all. */
  readonly needs?: Partial<BrowserNeeds>
  /** True to repeat the action when a live browser is brought to the state in which a scrape ended. Default: true. */
  readonly isRepeated?: boolean
}

/** Browser features that a page needs. Features that nothing needs are turned off to save work. */
export interface BrowserNeeds {
  /**
   * True if the result depends on how the page is rendered. Otherwise images, media and fonts are not loaded, and the page gets
   * no load events for them. Nothing is painted either, so screenshots fail.
   */
  readonly pictures: boolean
  /**
   * True if it sends input to the page, such as typing or clicking. The state that results must not be shared. Pages of one job
   * without such input share cookies, storage and cached files.
   */
  readonly ownContext: boolean
}

/** Context of an action, in addition to the page. */
export interface ActionContext {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Returns the milliseconds left for the complete document. */
  readonly timeLeft: () => number
  /** Reads the page in its current state, in a thread where no page can block the process. */
  readonly read: ReadMore
  /** True if images are off and a failed action leads to another visit with images. Actions then should not wait for long. */
  readonly mayRetry?: boolean
}

/** Appends `value` to the list `into` in the document's `actions`. Bytes are stored as a file, and the list has its URL. */
export interface ActionResult {
  readonly into: string
  readonly value: Value
}

/** An action of a request, ready to run. */
export interface PlannedAction {
  readonly type: string
  readonly needs: BrowserNeeds
  /** Plugin that defines the action. */
  readonly plugin?: string
  readonly run: (tab: Tab, context: ActionContext) => Promise<ActionResult | undefined>
}
