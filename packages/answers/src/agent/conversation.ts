import { estimateTokens } from '@harvestman/core/plugin'
import type { Turn } from '@harvestman/ports'

const truncatedLength = 300

/**
 * Shortens a conversation to about `room` tokens by truncating tool results to 300 characters, oldest first. Returns new turns.
 * The result is longer than `room` if truncating all results is not enough.
 */
export function shortenConversation(turns: readonly Turn[], room: number): readonly Turn[] {
  let size = turns.reduce((sum, turn) => sum + sizeOf(turn), 0)
  return turns.map((turn) => {
    if (size <= room || turn.role !== 'tool' || turn.result.length <= truncatedLength) return turn
    const short: Turn = {
      ...turn,
      result: `${turn.result.slice(0, truncatedLength)}\n(The rest is left out. Ask again to see it.)`,
    }
    size += sizeOf(short) - sizeOf(turn)
    return short
  })
}

function sizeOf(turn: Turn): number {
  return estimateTokens(turn.role === 'tool' ? turn.result : turn.text) + 50
}
