import { keyFamilies } from '@harvestman/toolbox/key-families'

/** The store keys of session replays. The docs are generated from this. */
export const replayKeys = keyFamilies({
  replay: {
    begins: 'session-replays/',
    keeps: 'The pictures and the video of a live browser',
    writes: '`sessionReplay`',
    lives: '`keep.results`',
  },
})
