import { SentinelConnector, type Redis } from './ioredis.ts'

type Options = ConstructorParameters<typeof SentinelConnector>[0]
type Connect = SentinelConnector['connect']

/**
 * Finds the primary through Sentinels. The client of ioredis never reconnects after a disturbed lookup, so the subscription to
 * failovers is ended before a lookup: a failover that it reports during one would be mistaken for a closed client.
 */
export class PatientSentinels extends SentinelConnector {
  constructor(options: unknown) {
    // Cast: ioredis instantiates this class with its own options.
    super(options as Options)
    const subscribe = this['initFailoverDetector'].bind(this)
    // The socket of a client that was closed meanwhile may still connect, and nothing would end its subscription.
    this['initFailoverDetector'] = async () => {
      if (this.connecting) await subscribe()
    }
    const connectToSentinel = this['connectToSentinel'].bind(this)
    // An unavailable Sentinel is tried again; without a listener, each error would be printed.
    this['connectToSentinel'] = (...given: readonly unknown[]): Redis => {
      const client: Redis = connectToSentinel(...given)
      client.on('error', () => undefined)
      return client
    }
  }

  override connect(...given: Parameters<Connect>): ReturnType<Connect> {
    this['failoverDetector']?.cleanup()
    return super.connect(...given)
  }
}
