import { SentinelConnector, type Redis } from './ioredis.ts'

type Options = ConstructorParameters<typeof SentinelConnector>[0]
type Connect = SentinelConnector['connect']

/**
 * Finds the primary through Sentinels. The client of ioredis never connects again once a lookup was disturbed, so the subscription to
 * failovers ends before a lookup begins: a failover that it reports then would be mistaken for a closed client.
 */
export class PatientSentinels extends SentinelConnector {
  constructor(options: unknown) {
    // Cast: the client makes it, with its own options.
    super(options as Options)
    const subscribe = this['initFailoverDetector'].bind(this)
    // The socket of a client that was closed meanwhile may still connect. Nobody would end its subscription.
    this['initFailoverDetector'] = async () => {
      if (this.connecting) await subscribe()
    }
    const connectToSentinel = this['connectToSentinel'].bind(this)
    // A Sentinel that is away is tried again, and is not printed each time.
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
