import { makeThreads, threadFile, type Threads } from '@harvestman/threads'

import type { DrawnPage, DrawTask } from './draw.ts'

/** Threads that draw pages of PDFs. */
export type DrawThreads = Threads<DrawTask, readonly DrawnPage[]>

// Of a batch of pages. A page of a scan takes about 0.1 s.
const budget = 30_000

/** Creates a thread that draws pages of PDFs. Throws `not_configured` in a bundle. */
export function makeDrawThreads({ megabytes }: { readonly megabytes: number }): DrawThreads {
  return makeThreads({
    entry: threadFile(import.meta.url),
    size: 1,
    budget,
    megabytes,
    messages: {
      tooSlow: `The pages of the PDF could not be drawn within ${budget} ms.`,
      tooLarge: `Drawing the pages of the PDF took more than ${megabytes} MB. Raise megabytes of pdf().`,
    },
  })
}
