import { makeThreads, threadFile, type Threads } from '@harvestman/threads'

import type { PreparedPicture, PrepareTask } from './prepare.ts'

const budget = 20_000
const megabytes = 768

/** Threads that prepare pages of pictures. */
export type PictureThreads = Threads<PrepareTask, PreparedPicture>

/** Creates a thread that prepares pictures. Throws `not_configured` in a bundle. */
export function makePictureThreads(): PictureThreads {
  return makeThreads({
    entry: threadFile(import.meta.url),
    size: 1,
    budget,
    megabytes,
    messages: {
      tooSlow: `The image could not be decoded within ${budget} ms. Save it as PNG.`,
      tooLarge: `Decoding the image took more than ${megabytes} MB. Send it in a smaller size.`,
    },
  })
}
