// Actions: what a person would do on a page.
import type { z } from 'zod'

import type { Clock, Tab, Value } from '@harvestman/ports'
import type { ReadMore } from './field.ts'

/** Something a person would do on the page. */
export interface Action<
  Type extends string = string,
  Schema extends z.ZodObject = z.ZodObject,
  Result extends ActionResult = ActionResult,
> {
  readonly type: Type
  readonly schema: Schema
  /** Rules between fields: a sentence about what is wrong, or nothing. */
  check(options: unknown): string | undefined
  run(tab: Tab, options: unknown, context: ActionContext): Promise<Result | undefined>
  /** Milliseconds this action spends waiting; requests are held to a sum of 60,000. */
  waits(options: unknown): number
  /** Needs of the action from the browser; when absent, all needs. */
  readonly needs?: Partial<BrowserNeeds>
  /** True to repeat the action when a live browser is brought to the state in which a scrape ended. Default: true. */
  readonly isRepeated?: boolean
}

/** Browser features that the work on a page needs. Features that nothing needs are left off to save work. */
export interface BrowserNeeds {
  /**
   * True when the result depends on how the page is drawn. When nothing does, pictures, films and fonts are left out,
   * and a page is never told that one was loaded.
   */
  readonly pictures: boolean
  /**
   * True when it tells the page something, as a person who types or clicks does. What the page remembers of it is not
   * for others: where nothing does, pages of one job share cookies, storage and cached files.
   */
  readonly ownContext: boolean
}

/** Context of an action, beside the page. */
export interface ActionContext {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds that are left for the whole document. */
  readonly timeLeft: () => number
  /** Reads the page as it stands, where no page can stop the process. */
  readonly read: ReadMore
  /** Pictures are left out, and the page is visited again with them when an action fails: none need try for long. */
  readonly mayRetry?: boolean
}

/** Adds `value` to the list `into` of the document's `actions`. Bytes are a file: the document has its address. */
export interface ActionResult {
  readonly into: string
  readonly value: Value
}

/** An action of a request, ready to be done. */
export interface PlannedAction {
  readonly type: string
  readonly needs: BrowserNeeds
  /** Plugin that the action belongs to. */
  readonly plugin?: string
  readonly run: (tab: Tab, context: ActionContext) => Promise<ActionResult | undefined>
}
