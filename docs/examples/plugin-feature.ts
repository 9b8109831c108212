import { createEngine } from '@harvestman/core'
import { defineFeature, definePlugin, type FeatureCall } from '@harvestman/core/plugin'

/** What people have written down about pages, by team. */
const notes = defineFeature({
  name: 'notes',
  // Keys and limits are given for `notes`; the activity of a team says `note`.
  endpoints: { note: 'notes' },
  open: ({ admit, store, team: someTeam }) => {
    const keyOf = (url: string, team: string): string => `notes/${JSON.stringify([team, url])}`
    return {
      write: (url: string, text: string, call: FeatureCall = {}): Promise<void> =>
        admit({ endpoint: 'note', input: { url } }, call, ({ team }) => store.set(keyOf(url, team), text)),
      read: (url: string, { team = someTeam }: FeatureCall = {}) => store.get(keyOf(url, team)),
    }
  },
})

export const notebook = definePlugin({ name: 'notebook', features: [notes] })

/** `engine.notes` is typed from the definition. */
export async function writeNote(url: string, text: string, team: string): Promise<unknown> {
  await using engine = createEngine({ plugins: [notebook] })
  await engine.notes.write(url, text, { team })
  return engine.notes.read(url, { team })
}
