export { chance as randomOf, drifted, drifts, withoutMarkup } from '@harvestman/testing'
