import { check, defineFeature, type FeatureCall } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

import { programSchema } from './program.ts'
import { catalogIn, type Extractor, type Catalog } from './catalog.ts'
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
  activities: { extractor: 'extractors' },
  open: ({ admit, storeOf, clock, team: someTeam }): Extractors => {
    const catalogOf = (team = someTeam): Catalog => catalogIn(storeOf(team), () => clock.now())
    const known = async (catalog: Catalog, id: string): Promise<Extractor> => {
      const found = await catalog.find(id)
      if (!found) throw new EngineError('not_found', `There is no extractor ${id.slice(0, 300)}.`)
      return found
    }
    const asked = (id: string) => ({ endpoint: 'extractor', input: { query: id } })
    return {
      list: ({ team } = {}) => catalogOf(team).list(),
      find: (id, { team } = {}) => known(catalogOf(team), id),
      versions: async (id, { team } = {}) => {
        const catalog = catalogOf(team)
        return catalog.versions(await known(catalog, id))
      },
      edit: (id, program, call = {}) =>
        admit(asked(id), call, async ({ team }) => {
          const catalog = catalogOf(team)
          const { host, question } = await known(catalog, id)
          return catalog.put({ host, question, program: check(programSchema, program) }, id)
        }),
      delete: (id, call = {}) =>
        admit(asked(id), call, async ({ team }) => {
          const catalog = catalogOf(team)
          await known(catalog, id)
          await catalog.delete(id)
        }),
    }
  },
})
