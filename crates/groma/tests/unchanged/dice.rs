//! Numbers that look random and are the same in every run.

pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn of(number: u64) -> Dice {
        let mut dice = Dice(number);
        dice.roll(2);
        dice
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }
}
