/** Acceleration, as multiples of gravity. */
export interface Acceleration {
  readonly x: number
  readonly y: number
  readonly z: number
}

/** An accelerometer, such as `Accelerometer` of `expo-sensors`. */
export interface MotionSensor {
  addListener(listener: (acceleration: Acceleration) => void): { remove(): void }
}

/** Gravity alone is 1. */
const STRONG = 1.8
/** Several strong movements within this time are a shake. One alone is a fall or a bump. */
const WINDOW_MS = 1_000
const MOVEMENTS = 3
/** Movements that are closer together are the same one. */
const APART_MS = 80
/** A shake that goes on is the same one. */
const PAUSE_MS = 2_000

/** Calls a function when the person shakes the device. Returns a function that stops it. */
export function onShake(sensor: MotionSensor, handle: () => void, now: () => number = Date.now): () => void {
  let movements: number[] = []
  let shakenAt = Number.NEGATIVE_INFINITY
  const subscription = sensor.addListener(({ x, y, z }) => {
    const at = now()
    if (Math.hypot(x, y, z) < STRONG || at - shakenAt < PAUSE_MS || at - (movements.at(-1) ?? 0) < APART_MS)
      return
    movements = [...movements.filter((earlier) => at - earlier < WINDOW_MS), at]
    if (movements.length < MOVEMENTS) return
    movements = []
    shakenAt = at
    handle()
  })
  return () => subscription.remove()
}
