import type { FeatureKit } from '@harvestman/core/plugin'
import type { Notifier } from '@harvestman/toolbox/notifier'

import type { Live } from '../live-port.ts'
import type { PeopleOptions } from './options.ts'
import type { PersonRecords } from './records.ts'

/** Dependencies of requests to people. */
export interface PeopleKit extends FeatureKit {
  readonly records: PersonRecords
  readonly options: PeopleOptions
  /** Notifies when a request has changed in this engine. */
  readonly changes: Notifier
  /** Returns the live browsers of the engine. Throws `not_configured` if there are none. */
  live(): Live
}
