// Live browsers of the team.
import type { ListedBrowser } from '@harvestman/client'

/** A URL that is empty or absent if there is none. */
export type Told = string | null | undefined

/** A live browser, as it is listed or opened. */
export interface Session extends Pick<Partial<ListedBrowser>, 'createdAt'> {
  readonly id: string
  readonly cdpUrl?: Told
  readonly liveViewUrl?: Told
  readonly interactiveLiveViewUrl?: Told
}
