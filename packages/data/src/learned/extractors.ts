import { check, defineFeature, type FeatureCall } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

import { programSchema } from './program.ts'
import { shelfIn, type Extractor, type Shelf } from './shelf.ts'
import type { ExtractorVersion } from './versions.ts'

/** The learned extractors of a team: what they are, to look at, to edit and to delete. */
export interface Extractors {
  /** All of the team, those of the site that was last learned first. */
  list(call?: FeatureCall): Promise<readonly Extractor[]>
  /** One of them; rejects with `not_found`. */
  find(id: string, call?: FeatureCall): Promise<Extractor>
  /** Puts a program in the place of the one it has; rejects with `invalid_request` when it is none. */
  edit(id: string, program: unknown, call?: FeatureCall): Promise<Extractor>
  /** Its last versions, the newest first; rejects with `not_found`. */
  versions(id: string, call?: FeatureCall): Promise<readonly ExtractorVersion[]>
  /** Forgets one. Its pages are asked about again. Rejects with `not_found`. */
  delete(id: string, call?: FeatureCall): Promise<void>
}

/** `engine.extractors`. */
export const extractors = defineFeature({
  name: 'extractors',
  endpoints: { extractor: 'extractors' },
  open: ({ admit, storeOf, clock, team: someTeam }): Extractors => {
    const shelfOf = (team = someTeam): Shelf => shelfIn(storeOf(team), () => clock.now())
    const known = async (shelf: Shelf, id: string): Promise<Extractor> => {
      const found = await shelf.find(id)
      if (!found) throw new EngineError('not_found', `There is no extractor ${id.slice(0, 300)}.`)
      return found
    }
    const asked = (id: string) => ({ endpoint: 'extractor', input: { query: id } })
    return {
      list: ({ team } = {}) => shelfOf(team).list(),
      find: (id, { team } = {}) => known(shelfOf(team), id),
      versions: async (id, { team } = {}) => {
        const shelf = shelfOf(team)
        return shelf.versions(await known(shelf, id))
      },
      edit: (id, program, call = {}) =>
        admit(asked(id), call, async ({ team }) => {
          const shelf = shelfOf(team)
          const { host, question } = await known(shelf, id)
          return shelf.put({ host, question, program: check(programSchema, program) }, id)
        }),
      delete: (id, call = {}) =>
        admit(asked(id), call, async ({ team }) => {
          const shelf = shelfOf(team)
          await known(shelf, id)
          await shelf.delete(id)
        }),
    }
  },
})
