use fixedbitset::FixedBitSet;

fn set(size: usize, bits: &[usize]) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(size);
    set.extend(bits.iter().copied());
    set
}

fn ones(set: &FixedBitSet) -> Vec<usize> {
    set.ones().collect()
}

fn main() {
    let mut one = set(100, &[0, 3, 31, 32, 63, 64, 99]);
    assert_eq!((one.len(), one.count_ones(..), one.count_ones(1..64)), (100, 7, 4));
    assert_eq!(ones(&one), [0, 3, 31, 32, 63, 64, 99]);
    assert!(one.contains(63) && !one.contains(62) && !one.contains(1000) && one[64]);
    assert!(one.put(3) && !one.put(4));
    one.toggle(4);
    one.set(5, true);
    one.set(0, false);
    assert_eq!(ones(&one), [3, 5, 31, 32, 63, 64, 99]);
    one.insert_range(10..13);
    one.set_range(30..40, false);
    one.toggle_range(62..66);
    assert_eq!(ones(&one), [3, 5, 10, 11, 12, 62, 65, 99]);
    one.copy_bit(3, 90);
    assert!(one.contains(90));
    one.grow(200);
    one.insert(199);
    assert_eq!((one.len(), one.ones().last(), one.ones().next()), (200, Some(199), Some(3)));
    let (a, b) = (set(70, &[1, 2, 65]), set(130, &[2, 65, 128]));
    assert_eq!(a.intersection(&b).collect::<Vec<_>>(), [2, 65]);
    assert_eq!(a.union(&b).collect::<Vec<_>>(), [1, 2, 65, 128]);
    assert_eq!(a.difference(&b).collect::<Vec<_>>(), [1]);
    assert_eq!(a.symmetric_difference(&b).collect::<Vec<_>>(), [1, 128]);
    let with = |change: fn(&mut FixedBitSet, &FixedBitSet)| {
        let mut changed = a.clone();
        change(&mut changed, &b);
        ones(&changed)
    };
    assert_eq!(with(FixedBitSet::union_with), [1, 2, 65, 128]);
    assert_eq!(with(FixedBitSet::intersect_with), [2, 65]);
    assert_eq!(with(FixedBitSet::difference_with), [1]);
    assert_eq!(with(FixedBitSet::symmetric_difference_with), [1, 128]);
    assert_eq!(ones(&(&a & &b)), [2, 65]);
    assert_eq!(ones(&(&a | &b)), [1, 2, 65, 128]);
    assert_eq!(ones(&(&a ^ &b)), [1, 128]);
    assert!(set(9, &[1]).is_subset(&a) && a.is_superset(&set(9, &[2])) && !a.is_subset(&b));
    assert!(set(9, &[3]).is_disjoint(&a) && !a.is_disjoint(&b));
    assert_eq!(set(70, &[1, 2, 65]), a);
    let all: FixedBitSet = [7, 1, 40].into_iter().collect();
    assert_eq!((all.len(), all.count_ones(..)), (41, 3));
    let mut cleared = all.clone();
    cleared.clear();
    assert!(cleared.count_ones(..) == 0 && cleared.len() == 41 && !cleared.is_empty());
    assert_eq!(format!("{:b}", set(5, &[0, 3])), "10010");
    assert_eq!(format!("{:#b}", set(3, &[1])), "0b010");
    assert_eq!(set(70, &[]).count_ones(..), 0);
    assert!(set(10, &[2]) < set(10, &[1]) || set(10, &[1]) < set(10, &[2]));
    let mut full = FixedBitSet::with_capacity(67);
    full.set_range(.., true);
    assert_eq!((full.count_ones(..), full.count_ones(60..), full.ones().count()), (67, 7, 67));
}
