// What a person would do on a page.
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
  /** What it needs of the browser: all that there is, when absent. */
  readonly needs?: Partial<BrowserNeeds>
  /** Whether it is done again where a live browser is brought to where a scrape had ended. It is, when absent. */
  readonly isRepeated?: boolean
}

/** What is done with a page, as far as the browser must know. What nothing needs is saved. */
export interface BrowserNeeds {
  /**
   * Whether it depends on how the page is drawn. Where nothing does, pictures, films and fonts are left out, and a page
   * is never told that one was loaded.
   */
  readonly pictures: boolean
  /**
   * Whether it tells the page something, as a person who types or clicks does. What the page remembers of it is not for
   * others: where nothing does, pages of one job share cookies, storage and cached files.
   */
  readonly ownContext: boolean
}

/** What an action works with beside the page. */
export interface ActionContext {
  readonly clock: Clock
  readonly signal: AbortSignal
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
  readonly run: (tab: Tab, context: ActionContext) => Promise<ActionResult | undefined>
}
