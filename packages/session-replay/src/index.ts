export {
  sessionReplay,
  type PartOfVideo,
  type Replay,
  type ReplayedPage,
  type Replays,
  type SessionReplayOptions,
} from './session-replay.ts'
