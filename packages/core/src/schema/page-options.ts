import type { z } from 'zod'

import type { PageRequest } from './crawl.ts'
import type { pageOptions } from './scrape.ts'

/** Options of each page of a job whose kind sets the formats. The available actions depend on the engine's plugins. */
export type PageOptionsInput = z.input<z.ZodObject<ReturnType<typeof pageOptions>>> & {
  readonly actions?: readonly { readonly type: string; readonly [option: string]: unknown }[] | undefined
}

/** Schema of an engine's page options. Its output has all defaults filled in. */
export type PageOptionsSchema = z.ZodType<PageRequest, PageOptionsInput>
