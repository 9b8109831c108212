import { createEngine } from '@harvestman/core'
import { recording, replay } from '@harvestman/record'

/** Scrapes a page and records all of its requests. */
export async function readRecorded(url: string, file: string, allowPrivate: readonly string[] = []): Promise<string> {
  const engine = createEngine({ allowPrivate, plugins: [recording({ file })] })
  try {
    const { markdown } = await engine.scrape({ url })
    return markdown
  } finally {
    // The file is complete once the engine is closed.
    await engine.close()
  }
}

/** Scrapes it again from the record, without network requests. */
export async function readAgain(url: string, file: string, allowPrivate: readonly string[] = []): Promise<string> {
  const engine = await replay(file, { engine: { allowPrivate } })
  try {
    const { markdown } = await engine.scrape({ url })
    return markdown
  } finally {
    await engine.close()
  }
}
