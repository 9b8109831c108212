import type { Socket } from 'node:net'

import { messageSocket } from '@harvestman/toolbox/whole-reads'
import { AbstractConnector } from './ioredis.ts'

import { replyLength } from './replies.ts'

/** Host and port of a server. */
export interface Place {
  readonly host?: string
  readonly port?: number
  readonly family?: number
  readonly path?: string
}

interface ConnectorOptions extends Place {
  readonly disconnectTimeout?: number
}

/** Opens connections for ioredis, which instantiates this class itself. Long replies arrive in one buffer. */
export class WholeReplies extends AbstractConnector {
  private readonly place: Place

  constructor(options: unknown) {
    const place = options as ConnectorOptions
    super(place.disconnectTimeout ?? 2000)
    this.place = place
  }

  override async connect(told: (type: string, error: Error) => void): Promise<Socket> {
    this.connecting = true
    // The client adds its error listener only when it has the socket.
    const place = await this.find(told)
    if (!this.connecting) throw new Error('Connection is closed.')
    const socket = this.open(place)
    socket.once('error', (error) => (this.firstError = error))
    this.stream = socket
    return socket
  }

  /** Returns the server to connect to. */
  protected async find(_told: (type: string, error: Error) => void): Promise<Place> {
    return this.place
  }

  protected open({ host = 'localhost', port = 6379, family, path }: Place): Socket {
    return messageSocket(replyLength).connect(path ? { path } : { host, port, ...(family && { family }) })
  }
}
