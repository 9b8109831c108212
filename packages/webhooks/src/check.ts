import { EngineError, type Guard } from '@harvestman/ports'

const timeout = 5_000

/**
 * Rejects with `url_blocked` if messages may not be sent to this URL, which must be valid. A host that cannot be resolved now is
 * accepted. It is checked again each time something is sent.
 */
export async function checkReceiver(address: string, guard: Guard): Promise<void> {
  const url = new URL(address)
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  try {
    guard.checkUrl(url)
    await guard.resolve(url.hostname, port, AbortSignal.timeout(timeout))
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'url_blocked') return
    throw new EngineError('url_blocked', `The webhook cannot be sent there. ${error.message}`, { cause: error })
  }
}
