import { createEngine } from '@harvestman/core'
import { recording, replay } from '@harvestman/record'

/** Reads a page, and keeps all that was asked for it. */
export async function readRecorded(url: string, file: string, allowPrivate: readonly string[] = []): Promise<string> {
  const engine = createEngine({ allowPrivate, plugins: [recording({ file })] })
  try {
    const { markdown } = await engine.scrape({ url })
    return markdown
  } finally {
    // The file is whole once the engine is closed.
    await engine.close()
  }
}

/** Reads it again out of the record: nothing is connected to. */
export async function readAgain(url: string, file: string, allowPrivate: readonly string[] = []): Promise<string> {
  const engine = await replay(file, { engine: { allowPrivate } })
  try {
    const { markdown } = await engine.scrape({ url })
    return markdown
  } finally {
    await engine.close()
  }
}
