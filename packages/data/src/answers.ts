export * from '@harvestman/answers'
