import { keyFamilies } from '@harvestman/ports/adapters'

/** Every key that replays of sessions write begins as this. The docs print it. */
export const replayKeys = keyFamilies({
  replay: {
    begins: 'session-replays/',
    keeps: 'The pictures and the video of a live browser',
    writes: '`sessionReplay`',
    lives: '`keep.results`',
  },
})
