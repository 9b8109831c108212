export { runLiveView } from './live-view/run.ts'
