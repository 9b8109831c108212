import type { Resting } from './rest.ts'
import type { Command } from './reader.ts'
import type { Line } from './switch.ts'

const method = 'Emulation.setFocusEmulationEnabled'

/**
 * Creates the focus emulation of a live browser, which clients enable and which keeps pages from being hidden. It is disabled
 * while the pages rest.
 */
export function makeFocus(line: Line): Resting & { note(command: Command, sessionId: string): void } {
  const emulated = new Set<string>()
  const setAll = async (enabled: boolean): Promise<void> => {
    for (const sessionId of emulated) if (!line.owns(sessionId)) emulated.delete(sessionId)
    await Promise.all([...emulated].map((sessionId) => line.ask(method, { enabled }, sessionId)))
  }
  return {
    note: (command, sessionId) => {
      if (command.method !== method) return
      if (command.params['enabled'] === true) emulated.add(sessionId)
      else emulated.delete(sessionId)
    },
    hide: () => setAll(false),
    reveal: () => setAll(true),
  }
}
