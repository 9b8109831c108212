import { createEngine, EngineError } from '@harvestman/core'
import { defineFeature, definePlugin, type FeatureKit } from '@harvestman/core/plugin'
import { z } from 'zod'

const note = z.object({ id: z.uuid(), url: z.url(), text: z.string() })
const newNote = z.object({ url: z.url(), text: z.string().min(1).max(2_000) })
type Note = z.output<typeof note>

const maxNotes = 1_000

/** The notes of each team, in the store of the engine. */
function openNotes({ store }: FeatureKit) {
  const read = (saved: unknown): readonly Note[] => z.array(note).parse(saved ?? [])
  const keyOf = (team: string): string => `notes/${team}`
  const all = async (team: string) => read(await store.get(keyOf(team)))
  const change = (team: string, next: (notes: readonly Note[]) => readonly Note[]) =>
    store.update(keyOf(team), (saved) => next(read(saved)).map((one) => ({ ...one })))
  const find = async (team: string, id: string): Promise<Note> => {
    const found = (await all(team)).find((one) => one.id === id)
    if (found) return found
    throw new EngineError('not_found', `No note has the id ${id}.`)
  }
  return {
    all,
    find,
    add: async (team: string, given: z.output<typeof newNote>): Promise<Note> => {
      const added = { id: crypto.randomUUID(), ...given }
      await change(team, (notes) => {
        if (notes.length < maxNotes) return [...notes, added]
        throw new EngineError('conflict', `This team has ${maxNotes} notes. Delete some first.`)
      })
      return added
    },
    edit: async (team: string, id: string, text: string): Promise<Note> => {
      await find(team, id)
      await change(team, (notes) => notes.map((one) => (one.id === id ? { ...one, text } : one)))
      return find(team, id)
    },
    remove: async (team: string, id: string): Promise<void> => {
      await find(team, id)
      await change(team, (notes) => notes.filter((one) => one.id !== id))
    },
  }
}

const notes = defineFeature({
  name: 'notes',
  open: openNotes,
  endpoints: (endpoint) => ({
    create: endpoint({
      method: 'POST',
      path: '/v2/notes',
      summary: 'Creates a note about a page.',
      input: newNote,
      output: note,
      errors: ['conflict'],
      example: { url: 'https://example.com/', text: 'Compare the prices in May.' },
      tool: true,
      run: (notes, { team, input }) => notes.add(team, input),
    }),
    list: endpoint({
      method: 'GET',
      path: '/v2/notes',
      summary: 'Lists notes, the oldest first.',
      input: z.object({ limit: z.int().min(1).max(100).default(25), url: z.url().optional() }),
      output: z.array(note),
      tool: true,
      run: async (notes, { team, input: { limit, url } }) =>
        (await notes.all(team)).filter((one) => url === undefined || one.url === url).slice(0, limit),
    }),
    get: endpoint({
      method: 'GET',
      path: '/v2/notes/{id}',
      summary: 'Returns a note.',
      output: note,
      errors: ['not_found'],
      run: (notes, { team, params }) => notes.find(team, params.id),
    }),
    edit: endpoint({
      method: 'PATCH',
      path: '/v2/notes/{id}',
      summary: 'Replaces the text of a note.',
      input: newNote.pick({ text: true }),
      output: note,
      errors: ['not_found'],
      example: { text: 'The prices rose.' },
      run: (notes, { team, params, input }) => notes.edit(team, params.id, input.text),
    }),
    delete: endpoint({
      method: 'DELETE',
      path: '/v2/notes/{id}',
      summary: 'Deletes a note.',
      errors: ['not_found'],
      run: (notes, { team, params }) => notes.remove(team, params.id),
    }),
  }),
})

export const notebook = definePlugin({ name: 'notebook', features: [notes] })

/** `engine.notes` has a method for each endpoint, typed from its definition. */
export async function writeNote(url: string, text: string, team: string): Promise<Note> {
  await using engine = createEngine({ plugins: [notebook] })
  const { id } = await engine.notes.create({ url, text }, { team })
  return engine.notes.get(id, { team })
}
