import type { z } from 'zod'

import type { PageRequest } from './crawl.ts'
import type { pageOptions } from './scrape.ts'

/** Options of each page of a job that has its own formats. The plugins of an engine decide which actions there are. */
export type PageOptionsInput = z.input<z.ZodObject<ReturnType<typeof pageOptions>>> & {
  readonly actions?: readonly { readonly type: string; readonly [option: string]: unknown }[] | undefined
}

/** The options of a page of one engine, with every default filled in. */
export type PageOptionsSchema = z.ZodType<PageRequest, PageOptionsInput>
