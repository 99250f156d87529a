/** The simulation moves in steps of this length, whatever the screen does. */
export const TICK_MS = 50
